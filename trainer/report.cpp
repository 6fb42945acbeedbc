// SPDX-License-Identifier: MIT
// Reports as JSON and as text.
#include "trainer/report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "graph/support/checksum.hpp"
#include "graph/support/text.hpp"

namespace weft::trainer {

namespace {

using Json = nlohmann::ordered_json;

std::string key_of(std::size_t role, const char* what) {
  return text(role_names[role], "_", what);
}

/// A metric that was undefined is null in a file.
double metric_of(const Json& json, const std::string& key) {
  const Json& value = json.at(key);
  return value.is_null() ? std::nan("") : value.get<double>();
}

std::optional<Evaluation> parse_evaluation(const Json& json) {
  if (!json.contains(key_of(0, "accuracy"))) return {};
  Evaluation evaluation;
  for (std::size_t role = 0; role < num_roles; ++role) {
    evaluation.accuracy[role] = metric_of(json, key_of(role, "accuracy"));
    evaluation.loss[role] = metric_of(json, key_of(role, "loss"));
  }
  return evaluation;
}

}  // namespace

std::string metrics_line(const EpochReport& report) {
  Json line;
  line["epoch"] = report.epoch;
  line["loss"] = report.loss;
  if (report.evaluation.has_value()) {
    for (std::size_t role = 0; role < num_roles; ++role) {
      line[key_of(role, "accuracy")] = report.evaluation->accuracy[role];
      line[key_of(role, "loss")] = report.evaluation->loss[role];
    }
  }
  line["bytes_sent"] = report.halo_bytes;
  line["bytes_in_place"] = report.in_place_bytes;
  line["evaluation_bytes_sent"] = report.evaluation_bytes;
  line["gradient_bytes"] = report.gradient_bytes;
  Json& seconds = line["seconds"];
  seconds["epoch"] = report.epoch_seconds;
  for (std::size_t step = 0; step < num_steps; ++step) {
    seconds[step_names[step]] = report.seconds[step];
  }
  return line.dump();
}

std::optional<EpochReport> parse_metrics_line(const std::string& line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("epoch") || !json.contains("seconds")) return {};
  EpochReport report;
  try {
    report.epoch = json.at("epoch").get<int>();
    report.loss = json.at("loss").get<double>();
    report.halo_bytes = json.at("bytes_sent").get<std::int64_t>();
    report.in_place_bytes = json.value("bytes_in_place", std::int64_t{0});
    report.evaluation_bytes = json.at("evaluation_bytes_sent").get<std::int64_t>();
    report.gradient_bytes = json.at("gradient_bytes").get<std::int64_t>();
    report.epoch_seconds = json.at("seconds").at("epoch").get<double>();
    for (std::size_t step = 0; step < num_steps; ++step) {
      report.seconds[step] = json.at("seconds").at(step_names[step]).get<double>();
    }
    report.evaluation = parse_evaluation(json);
  } catch (const Json::exception&) {
    return {};
  }
  return report;
}

std::string summary_json(const RunSummary& summary) {
  Json json;
  json["model"] = summary.model;
  json["ranks"] = summary.ranks;
  json["seed"] = summary.seed;
  json["epochs"] = summary.epochs;
  json["best_epoch"] = summary.best.epoch;
  json["val_metric"] = summary.best.evaluation.accuracy[1];
  json["test_metric"] = summary.best.evaluation.accuracy[2];
  json["final_loss"] = summary.final_loss;
  json["epoch_seconds_median"] = summary.epoch_seconds_median;
  json["time_to_best_seconds"] = summary.best.seconds;
  json["load_seconds"] = summary.load_seconds;
  json["bytes_sent_per_epoch"] = summary.bytes_sent_per_epoch;
  json["bytes_in_place_per_epoch"] = summary.bytes_in_place_per_epoch;
  json["gradient_bytes_per_epoch"] = summary.gradient_bytes_per_epoch;
  json["exchange_hidden_share"] = summary.exchange_hidden_share;
  json["peak_rss_bytes"] = summary.peak_rss_bytes;
  json["memory_estimate_bytes"] = summary.memory_estimate_bytes;
  json["weight_hash"] = checksum_text(summary.weight_hash);
  json["computed_share"] = summary.savings.computed_share;
  json["halo_rows"] = summary.savings.halo_rows;
  json["halo_rows_sent"] = summary.savings.halo_slots;
  json["kept_sum_rows"] = summary.savings.kept_sum_rows;
  return json.dump(2) + "\n";
}

std::string epoch_line(const EpochReport& report, int num_epochs) {
  std::string line =
      text("epoch ", report.epoch, "/", num_epochs, "  loss ", format_fixed(report.loss, 4));
  if (report.evaluation.has_value()) {
    for (std::size_t role = 0; role < num_roles; ++role) {
      const double accuracy = report.evaluation->accuracy[role];
      if (std::isnan(accuracy)) continue;
      line += text("  ", role_names[role], " ", format_fixed(accuracy, 4));
    }
  }
  return line + "  " + format_seconds(report.epoch_seconds);
}

std::string metric_text(double value) {
  return std::isnan(value) ? "-" : format_fixed(value, 4);
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace weft::trainer
