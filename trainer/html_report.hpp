// SPDX-License-Identifier: MIT
// report.html of a run folder: one page without scripts or outside files, for people.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trainer/report.hpp"

namespace weft::trainer {

/// The summary, curves of loss and accuracy, where the time of an epoch went, and the settings.
/// Long runs are drawn by every n-th epoch, at most about 1,000 points a curve.
[[nodiscard]] std::string html_report(const RunSummary& summary,
                                      std::span<const EpochReport> reports,
                                      const std::string& config_toml);

/// One curve of a chart; points without a number (NaN) are left out.
struct Curve {
  std::string name;
  std::string color;      ///< of CSS
  std::vector<double> x;  ///< rising
  std::vector<double> y;  ///< [size of x]
};

/// An SVG element with axes, the range of the values and a legend; empty text if no curve has two
/// points.
[[nodiscard]] std::string svg_chart(const std::string& title, std::span<const Curve> curves);

}  // namespace weft::trainer
