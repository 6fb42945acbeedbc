// SPDX-License-Identifier: MIT
#include "comm/launcher.hpp"

#include <map>
#include <string>

#include <gtest/gtest.h>

namespace weft::comm {
namespace {

using Variables = std::map<std::string, std::string>;

Lookup lookup_in(const Variables& environment) {
  return [&environment](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  };
}

std::string mismatch(int mpi_size, const Variables& environment) {
  return launcher_mismatch(mpi_size, lookup_in(environment));
}

std::string others(const Variables& environment) {
  return launched_with_others(lookup_in(environment));
}

int rank(const Variables& environment) {
  return launched_rank(lookup_in(environment));
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

TEST(Launcher, TellsOfOtherProcessesBeforeMpiBegins) {
  EXPECT_EQ(others({}), "");
  EXPECT_EQ(others({{"PMI_SIZE", "1"}, {"PMI_RANK", "0"}}), "");
  EXPECT_EQ(others({{"PMI_SIZE", "4"}, {"PMI_RANK", "0"}}), "PMI_SIZE=4");
  EXPECT_EQ(others({{"OMPI_COMM_WORLD_SIZE", "2"}}), "OMPI_COMM_WORLD_SIZE=2");
}

TEST(Launcher, TellsTheRankBeforeMpiBegins) {
  EXPECT_EQ(rank({}), 0);
  EXPECT_EQ(rank({{"PMI_RANK", "3"}}), 3);
  EXPECT_EQ(rank({{"OMPI_COMM_WORLD_RANK", "2"}}), 2);
  EXPECT_EQ(rank({{"SLURM_PROCID", "5"}}), 5);
}

}  // namespace
}  // namespace weft::comm
