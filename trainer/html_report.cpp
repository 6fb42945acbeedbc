// SPDX-License-Identifier: MIT
// The charts are plain SVG: a polyline a curve, scaled to the chart's box.
#include "trainer/html_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "graph/support/text.hpp"

namespace weft::trainer {

namespace {

constexpr double chart_width = 720;
constexpr double chart_height = 220;
constexpr double margin_left = 60;
constexpr double margin = 28;
constexpr std::size_t most_points = 1000;

constexpr const char* style = R"(
body { font: 15px/1.5 sans-serif; max-width: 56em; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse } td, th { padding: .15em 1em .15em 0; text-align: left }
td.number { text-align: right } svg { display: block; margin: 1em 0 }
pre { background: #f4f4f4; padding: 1em; overflow: auto }
)";

std::string escaped(const std::string& value) {
  std::string result;
  for (const char c : value) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

/// Smallest and largest of what is a number.
struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// Position of `value` in [0, 1]; the middle where all values are equal.
  [[nodiscard]] double share(double value) const {
    return high > low ? (value - low) / (high - low) : 0.5;
  }
};

std::string pixel(double value) {
  return format_fixed(value, 1);
}

std::string polyline(const Curve& curve, const Extent& x_extent, const Extent& y_extent) {
  const double width = chart_width - margin_left - margin;
  const double height = chart_height - 2 * margin;
  std::string points;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!std::isfinite(curve.y[i])) continue;
    points += text(pixel(margin_left + width * x_extent.share(curve.x[i])), ',',
                   pixel(margin + height * (1 - y_extent.share(curve.y[i]))), ' ');
  }
  return text("<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"", curve.color, "\" points=\"",
              points, "\"/>\n");
}

std::string label(double x, double y, const char* anchor, const std::string& content) {
  return text("<text font-size=\"12\" text-anchor=\"", anchor, "\" x=\"", pixel(x), "\" y=\"",
              pixel(y), "\">", escaped(content), "</text>\n");
}

std::string axes(const Extent& x_extent, const Extent& y_extent) {
  const double bottom = chart_height - margin;
  const double right = chart_width - margin;
  return text(
      "<path fill=\"none\" stroke=\"#999\" d=\"M", margin_left, ' ', margin, " V", bottom, " H",
      right, "\"/>\n", label(margin_left - 6, margin + 4, "end", format_fixed(y_extent.high, 4)),
      label(margin_left - 6, bottom, "end", format_fixed(y_extent.low, 4)),
      label(margin_left, chart_height - 8, "middle", format_fixed(x_extent.low, 0)),
      label(right, chart_height - 8, "end", text("epoch ", format_fixed(x_extent.high, 0))));
}

std::string legend(std::span<const Curve> curves) {
  std::string result;
  double x = margin_left + 8;
  for (const Curve& curve : curves) {
    result += text("<text font-size=\"12\" fill=\"", curve.color, "\" x=\"", pixel(x),
                   "\" y=\"16\">", escaped(curve.name), "</text>\n");
    x += 16 + 7.5 * static_cast<double>(curve.name.size());
  }
  return result;
}

/// The reports for which there is a value: every n-th of them, and the last.
template <typename Value>
Curve curve_of(const std::string& name,
               const std::string& color,
               std::span<const EpochReport> reports,
               const Value& value) {
  std::vector<const EpochReport*> known;
  for (const EpochReport& report : reports) {
    if (std::isfinite(value(report))) known.push_back(&report);
  }
  const std::size_t every = std::max<std::size_t>(1, known.size() / most_points);
  Curve curve{name, color, {}, {}};
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (i % every != 0 && i + 1 != known.size()) continue;
    curve.x.push_back(known[i]->epoch);
    curve.y.push_back(value(*known[i]));
  }
  return curve;
}

std::string charts(std::span<const EpochReport> reports) {
  constexpr std::array<const char*, num_roles> colors{"#1f77b4", "#2ca02c", "#d62728"};
  const std::vector<Curve> loss{
      curve_of("training loss", "#444", reports, [](const EpochReport& r) { return r.loss; })};
  std::vector<Curve> accuracy;
  for (std::size_t role = 0; role < num_roles; ++role) {
    accuracy.push_back(curve_of(role_names[role], colors[role], reports, [&](const EpochReport& r) {
      return r.evaluation ? r.evaluation->accuracy[role] : std::nan("");
    }));
  }
  return svg_chart("Loss", loss) + svg_chart("Accuracy", accuracy);
}

std::string row(const std::string& name, const std::string& value) {
  return text("<tr><td>", escaped(name), "</td><td class=\"number\">", escaped(value),
              "</td></tr>\n");
}

std::string summary_table(const RunSummary& summary) {
  return text(
      "<table>\n", row("test accuracy", metric_text(summary.best.evaluation.accuracy[2])),
      row("validation accuracy", metric_text(summary.best.evaluation.accuracy[1])),
      row("best epoch", text(summary.best.epoch, " of ", summary.epochs)),
      row("final loss", metric_text(summary.final_loss)),
      row("ranks", std::to_string(summary.ranks)), row("seed", std::to_string(summary.seed)),
      row("epoch time (median, slowest rank)", format_seconds(summary.epoch_seconds_median)),
      row("time to the best epoch", format_seconds(summary.best.seconds)),
      row("loading", format_seconds(summary.load_seconds)),
      row("halo bytes an epoch, all ranks", format_bytes(summary.bytes_sent_per_epoch)),
      row("of the same host, in place", format_bytes(summary.bytes_in_place_per_epoch)),
      row("gradient bytes an epoch", format_bytes(summary.gradient_bytes_per_epoch)),
      row("peak memory of a rank", format_bytes(summary.peak_rss_bytes)),
      row("rows computed in a training epoch",
          text(format_fixed(100 * summary.savings.computed_share, 1), " %")),
      row("halo rows; sent instead of them", text(format_count(summary.savings.halo_rows), "; ",
                                                  format_count(summary.savings.halo_slots))),
      "</table>\n");
}

/// Median seconds of each step.
std::string steps_table(std::span<const EpochReport> reports) {
  std::string rows;
  for (std::size_t step = 0; step < num_steps; ++step) {
    std::vector<double> seconds;
    for (const EpochReport& report : reports) {
      const bool is_evaluation = step == static_cast<std::size_t>(Step::evaluation);
      if (!is_evaluation || report.evaluation) seconds.push_back(report.seconds[step]);
    }
    rows += row(step_names[step], format_seconds(median(std::move(seconds))));
  }
  return text("<table>\n<tr><th>step</th><th>median</th></tr>\n", rows, "</table>\n");
}

}  // namespace

std::string svg_chart(const std::string& title, std::span<const Curve> curves) {
  Extent x_extent;
  Extent y_extent;
  std::size_t num_points = 0;
  for (const Curve& curve : curves) {
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!std::isfinite(curve.y[i])) continue;
      x_extent.include(curve.x[i]);
      y_extent.include(curve.y[i]);
      ++num_points;
    }
  }
  if (num_points < 2) return {};
  std::string lines;
  for (const Curve& curve : curves)
    lines += polyline(curve, x_extent, y_extent);
  return text("<h2>", escaped(title), "</h2>\n<svg role=\"img\" aria-label=\"", escaped(title),
              "\" width=\"", chart_width, "\" height=\"", chart_height, "\">\n",
              axes(x_extent, y_extent), lines, legend(curves), "</svg>\n");
}

std::string html_report(const RunSummary& summary,
                        std::span<const EpochReport> reports,
                        const std::string& config_toml) {
  const std::string title = text("weft run: ", summary.model, " on ", summary.ranks, " rank(s)");
  return text("<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>",
              escaped(title), "</title>\n<style>", style, "</style>\n<h1>", escaped(title),
              "</h1>\n", summary_table(summary), charts(reports),
              "<h2>Where an epoch's time goes</h2>\n", steps_table(reports),
              "<h2>Settings</h2>\n<pre>", escaped(config_toml), "</pre>\n</html>\n");
}

}  // namespace weft::trainer
