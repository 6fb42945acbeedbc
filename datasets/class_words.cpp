// SPDX-License-Identifier: MIT
// The first class that is not -1 decides: numbers or names. Later ones of the other kind are
// errors, or one slip of the pen would turn all numbers into names.
#include "datasets/class_words.hpp"

#include <algorithm>
#include <numeric>

#include "datasets/input_problems.hpp"
#include "datasets/text_fields.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

std::int32_t ClassWords::add(std::string_view word, std::string& problem) {
  constexpr std::int32_t none = -2;
  if (word == "-1") return -1;
  std::int64_t number = 0;
  const bool is_number = parse_signed(word, number);
  double real = 0.0;
  const bool is_real = parse_real(word, real);
  if (kind_ == Kind::undecided) kind_ = is_number || is_real ? Kind::numbers : Kind::names;
  if (kind_ == Kind::names) {
    if (word.empty() || is_real || !is_utf8(word)) {
      problem = text("class ", in_quotes(word), ", expected a name as on the lines before");
      return none;
    }
    return names_.add(word);
  }
  if (!is_number) {
    problem = is_real
                  ? text("class ", in_quotes(word), " has a fraction, expected a whole number; ",
                         "--task regression reads numbers")
                  : text("class ", in_quotes(word), ", expected a number as on the lines before");
    return none;
  }
  if (number < -1 || number >= most_classes) {
    problem = text("class ", number, ", expected -1 (unknown) or 0 to ", most_classes - 1);
    return none;
  }
  largest_ = std::max(largest_, number);
  return static_cast<std::int32_t>(number);
}

std::vector<std::int32_t> ClassWords::final_of() const {
  const auto& names = names_.names();
  std::vector<std::int32_t> order(names.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&names](std::int32_t a, std::int32_t b) {
    return names[static_cast<std::size_t>(a)] < names[static_cast<std::size_t>(b)];
  });
  std::vector<std::int32_t> rank(names.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    rank[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  }
  return rank;
}

std::vector<std::string> ClassWords::sorted_names() const {
  std::vector<std::string> names = names_.names();
  std::sort(names.begin(), names.end());
  return names;
}

int ClassWords::num_classes() const {
  return kind_ == Kind::names ? static_cast<int>(names_.names().size())
                              : static_cast<int>(largest_ + 1);
}

}  // namespace weft::datasets
