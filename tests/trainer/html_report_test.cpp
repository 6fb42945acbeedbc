// SPDX-License-Identifier: MIT
#include "trainer/html_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace weft::trainer {
namespace {

bool has(const std::string& page, const std::string& what) {
  return page.find(what) != std::string::npos;
}

std::vector<EpochReport> three_epochs() {
  std::vector<EpochReport> reports;
  for (int epoch = 1; epoch <= 3; ++epoch) {
    EpochReport report;
    report.epoch = epoch;
    report.loss = 3.0 / epoch;
    report.seconds[0] = 0.25;
    if (epoch != 2) report.evaluation = Evaluation{{0.5, std::nan(""), 0.25 * epoch}, {1, 1, 1}};
    reports.push_back(report);
  }
  return reports;
}

TEST(SvgChart, PutsTheEndsOfACurveIntoTheCorners) {
  const std::vector<Curve> curves{{"falling", "red", {0, 10}, {4, 2}}};
  const std::string chart = svg_chart("T", curves);
  EXPECT_TRUE(has(chart, "points=\"60.0,28.0 692.0,192.0 \"")) << chart;
  EXPECT_TRUE(has(chart, ">4.0000<")) << chart;
  EXPECT_TRUE(has(chart, ">2.0000<")) << chart;
  EXPECT_TRUE(has(chart, ">falling<")) << chart;
}

TEST(SvgChart, LeavesOutWhatIsNoNumber) {
  const std::vector<Curve> curves{{"gap", "red", {0, 1, 2}, {1, std::nan(""), 3}}};
  EXPECT_FALSE(has(svg_chart("T", curves), "nan"));
  const std::vector<Curve> single{{"point", "red", {0, 1}, {1, std::nan("")}}};
  EXPECT_EQ(svg_chart("T", single), "");
}

TEST(HtmlReport, ShowsSummaryCurvesStepsAndSettings) {
  RunSummary summary;
  summary.model = "gcn";
  summary.ranks = 4;
  summary.epochs = 3;
  summary.best = {3, {{0.5, std::nan(""), 0.75}, {1, 1, 1}}, 0.5};
  const std::string page = html_report(summary, three_epochs(), "[model]\ntype = \"a<b&c\"\n");
  for (const char* part : {"weft run: gcn on 4 rank(s)", "<td class=\"number\">0.7500</td>",
                           "3 of 3", "aria-label=\"Loss\"", "aria-label=\"Accuracy\"",
                           "gradient_sync", "250 ms", "a&lt;b&amp;c"}) {
    EXPECT_TRUE(has(page, part)) << part << "\n" << page;
  }
  EXPECT_FALSE(has(page, "nan"));
  EXPECT_FALSE(has(page, "<script"));
  EXPECT_FALSE(has(page, "http"));
}

TEST(HtmlReport, ThinsLongRuns) {
  std::vector<EpochReport> reports(50000);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    reports[i].epoch = static_cast<int>(i) + 1;
    reports[i].loss = 1.0 / static_cast<double>(i + 1);
  }
  const std::string page = html_report({}, reports, "");
  EXPECT_LT(page.size(), 40000U);
  EXPECT_TRUE(has(page, "epoch 50000"));
}

}  // namespace
}  // namespace weft::trainer
