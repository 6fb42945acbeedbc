// SPDX-License-Identifier: MIT
// Sorts owned rows by their role and sums the counts over ranks.
#include "trainer/labelled_rows.hpp"

#include <algorithm>

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::trainer {

std::span<const std::int8_t> split_of_part(const partition::Part& part, const std::string& name) {
  const std::vector<std::string>& names = part.info.split_names;
  if (names.empty()) {
    throw InputError(text("dataset '", part.info.dataset_name,
                          "': it has no split; import it again with --split FILE"));
  }
  std::size_t index = 0;
  if (!name.empty()) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      throw InputError(text("config: dataset.split '", name,
                            "' is unknown; the dataset has: ", join(names, ", ")));
    }
    index = static_cast<std::size_t>(found - names.begin());
  }
  const auto num_owned = static_cast<std::size_t>(part.num_owned());
  return part.rows.splits.subspan(index * num_owned, num_owned);
}

LabelledRows find_labelled_rows(comm::Communicator& communicator,
                                const partition::Part& part,
                                std::span<const std::int8_t> split) {
  LabelledRows result;
  const bool has_rows = !split.empty() && !part.rows.labels.empty();
  for (LocalId v = 0; has_rows && v < part.num_owned(); ++v) {
    const auto row = static_cast<std::size_t>(v);
    const auto role = static_cast<int>(split[row]);
    if (role < 0 || part.rows.labels[row] < 0) continue;
    result.rows[static_cast<std::size_t>(role)].push_back(v);
  }
  for (std::size_t role = 0; role < num_roles; ++role) {
    result.global_counts[role] = static_cast<std::int64_t>(result.rows[role].size());
  }
  communicator.all_reduce_sum(std::span<std::int64_t>(result.global_counts));
  return result;
}

}  // namespace weft::trainer
