// SPDX-License-Identifier: MIT
// After its first epoch an engine allocates nothing: matrices and `operator new` are both counted,
// on every thread, through forward, backward and exchange.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "kernels/matrix.hpp"
#include "tests/trainer/engine_harness.hpp"

namespace {

std::atomic<std::int64_t> num_news{0};

void* counted_allocation(std::size_t size) {
  num_news.fetch_add(1, std::memory_order_relaxed);
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* counted_aligned_allocation(std::size_t size, std::size_t alignment) {
  num_news.fetch_add(1, std::memory_order_relaxed);
  // aligned_alloc wants a multiple of the alignment
  void* memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) {
  return counted_allocation(size);
}
void* operator new[](std::size_t size) {
  return counted_allocation(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted_aligned_allocation(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return counted_aligned_allocation(size, static_cast<std::size_t>(alignment));
}
// The temporary buffers of std::stable_sort come from here. Every form is replaced, or a sanitizer
// sees memory of its own `new` go to this file's `delete`.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  num_news.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new[](std::size_t size, const std::nothrow_t& nothrow) noexcept {
  return operator new(size, nothrow);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace weft::trainer {
namespace {

using test_support::Owners;

class Allocation : public ::testing::TestWithParam<ModelType> {};

TEST_P(Allocation, NoneAfterTheFirstEpoch) {
  comm::Communicator world = comm::Communicator::world();
  test_support::RandomDatasetOptions options;
  options.num_vertices = 3000;
  options.sparse_features = GetParam() == ModelType::gcn;
  RunConfig config = test_support::small_config(GetParam());
  config.model.layers = 3;
  config.model.norm = Norm::layer;
  config.optimizer.weight_decay = {5e-4};
  config.train.threads = 2;
  partition::Part part =
      test_support::my_part(world, test_support::random_dataset(options), Owners::random);
  Engine engine(world, prepare_engine(world, std::move(part), config), config);
  engine.train_epoch(1);
  world.barrier();
  const std::int64_t matrices = kernels::num_matrix_allocations();
  const std::int64_t news = num_news.load();
  for (int epoch = 2; epoch <= 5; ++epoch)
    engine.train_epoch(epoch);
  EXPECT_EQ(num_news.load(), news);
  EXPECT_EQ(kernels::num_matrix_allocations(), matrices);
}

INSTANTIATE_TEST_SUITE_P(Models,
                         Allocation,
                         ::testing::Values(ModelType::gcn, ModelType::sage),
                         [](const auto& p) {
                           return std::string(p.param == ModelType::gcn ? "gcn" : "sage");
                         });

}  // namespace
}  // namespace weft::trainer
