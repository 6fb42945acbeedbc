// SPDX-License-Identifier: MIT
#include "comm/launcher.hpp"

#include <map>
#include <string>

#include <gtest/gtest.h>

namespace weft::comm {
namespace {

std::string mismatch(int mpi_size, const std::map<std::string, std::string>& environment) {
  return launcher_mismatch(mpi_size, [&](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

TEST(Launcher, AcceptsAPlainStart) {
  EXPECT_EQ(mismatch(1, {}), "");
}

TEST(Launcher, AcceptsItsOwnLauncher) {
  EXPECT_EQ(mismatch(4, {{"PMI_SIZE", "4"}, {"PMI_RANK", "3"}}), "");
  EXPECT_EQ(mismatch(1, {{"PMI_SIZE", "1"}, {"PMI_RANK", "0"}}), "");
}

TEST(Launcher, AcceptsABatchScriptThatIsNoTask) {
  EXPECT_EQ(mismatch(1, {{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}}), "");
}

TEST(Launcher, NamesTheVariableAndTheRemedy) {
  const std::string found = mismatch(1, {{"OMPI_COMM_WORLD_SIZE", "2"}});
  EXPECT_NE(found.find("OMPI_COMM_WORLD_SIZE=2"), std::string::npos) << found;
  EXPECT_NE(found.find("1 rank"), std::string::npos) << found;
  EXPECT_NE(found.find("mpiexec of"), std::string::npos) << found;
}

TEST(Launcher, KnowsTheSignsOfOtherLaunchers) {
  EXPECT_NE(mismatch(1, {{"PMI_SIZE", "2"}}), "");
  EXPECT_NE(mismatch(1, {{"SLURM_STEP_NUM_TASKS", "16"}}), "");
  EXPECT_NE(mismatch(1, {{"PMIX_RANK", "1"}}), "");
  EXPECT_EQ(mismatch(1, {{"PMIX_RANK", "0"}}), "");
}

}  // namespace
}  // namespace weft::comm
