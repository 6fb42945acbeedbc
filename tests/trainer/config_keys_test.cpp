// SPDX-License-Identifier: MIT
// The table of keys: no key twice, sections in one piece, and a help text that cannot drift from
// the reader, since both walk the table.
#include "trainer/config_keys.hpp"

#include <gtest/gtest.h>

#include <set>

namespace weft::trainer {
namespace {

TEST(ConfigKeys, NamesAreUniqueAndSectionsContiguous) {
  RunConfig config;
  std::set<std::string_view> names;
  std::set<std::string_view> closed_sections;
  std::string_view section;
  for (const KeyBinding& binding : bind_keys(config)) {
    EXPECT_TRUE(names.insert(binding.name).second) << binding.name;
    EXPECT_FALSE(binding.help.empty()) << binding.name;
    EXPECT_FALSE(binding.key().empty()) << binding.name;
    if (binding.section() == section) continue;
    section = binding.section();
    EXPECT_TRUE(closed_sections.insert(section).second) << binding.name;
  }
  for (const ReservedKey& reserved : reserved_keys()) {
    EXPECT_TRUE(names.insert(reserved.name).second) << reserved.name << " is bound and reserved";
  }
}

TEST(ConfigKeys, HelpHasEveryKeyAndEveryName) {
  const std::string help = describe_keys();
  RunConfig config;
  for (const KeyBinding& binding : bind_keys(config)) {
    EXPECT_NE(help.find("  " + std::string(binding.key()) + " = "), std::string::npos)
        << binding.name;
    const auto* named = std::get_if<NamedChoice>(&binding.field);
    if (named == nullptr) continue;
    for (const std::string& name : named->valid) {
      EXPECT_NE(help.find(name), std::string::npos) << name;
    }
  }
}

TEST(ConfigKeys, ChoicesSetWhatTheyGet) {
  RunConfig config;
  for (const KeyBinding& binding : bind_keys(config)) {
    const auto* named = std::get_if<NamedChoice>(&binding.field);
    if (named == nullptr) continue;
    for (const std::string& name : named->valid) {
      named->set(name);
      EXPECT_EQ(named->get(), name) << binding.name;
    }
  }
}

TEST(ConfigKeys, BoundsKnowTheirEnds) {
  const Bounds probability{0, 1, false, true};
  EXPECT_TRUE(probability.contains(0));
  EXPECT_FALSE(probability.contains(1));
  EXPECT_FALSE(probability.contains(-0.1));
  EXPECT_FALSE(probability.contains(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_EQ(probability.describe(), "in [0, 1)");
  const Bounds positive{0, std::numeric_limits<double>::infinity(), true, true};
  EXPECT_FALSE(positive.contains(0));
  EXPECT_FALSE(positive.contains(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(positive.describe(), "> 0");
  EXPECT_EQ(Bounds{}.describe(), "");
}

}  // namespace
}  // namespace weft::trainer
