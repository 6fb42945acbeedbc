// SPDX-License-Identifier: MIT
// Two gathers, ids and rows, and one scatter on rank 0.
#include "trainer/gather.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <vector>

#include "graph/support/error.hpp"
#include "kernels/bfloat16.hpp"

namespace weft::trainer {

namespace {

/// Rows without the gaps of their stride.
std::vector<Real> packed(kernels::ConstMatrixView rows) {
  std::vector<Real> values;
  values.reserve(static_cast<std::size_t>(rows.num_rows * rows.num_columns));
  for (std::int64_t r = 0; r < rows.num_rows; ++r) {
    if (rows.storage == kernels::Storage::real) {
      values.insert(values.end(), rows.row(r), rows.row(r) + rows.num_columns);
      continue;
    }
    const std::uint16_t* row = rows.row_bf16(r);
    std::transform(row, row + rows.num_columns, std::back_inserter(values),
                   [](std::uint16_t bits) { return Real{kernels::from_bf16(bits)}; });
  }
  return values;
}

/// Copies each row of `bytes` to the row of `result` that `id_bytes` names.
void place_rows(const std::vector<std::byte>& id_bytes,
                const std::vector<std::byte>& bytes,
                kernels::Matrix& result) {
  const std::size_t num_rows = id_bytes.size() / sizeof(GlobalId);
  const std::size_t row_bytes = static_cast<std::size_t>(result.num_columns()) * sizeof(Real);
  for (std::size_t i = 0; i < num_rows && row_bytes > 0; ++i) {
    GlobalId id = 0;
    std::memcpy(&id, id_bytes.data() + i * sizeof(GlobalId), sizeof(GlobalId));
    std::memcpy(result.data() + id * result.num_columns(), bytes.data() + i * row_bytes, row_bytes);
  }
}

}  // namespace

kernels::Matrix gather_by_global_id(comm::Communicator& communicator,
                                    const partition::Part& part,
                                    kernels::ConstMatrixView rows) {
  WEFT_ASSERT(rows.num_rows <= part.num_owned());
  const std::span<const GlobalId> ids(part.global_ids.data(),
                                      static_cast<std::size_t>(rows.num_rows));
  const std::vector<Real> values = packed(rows);
  const auto all_ids = communicator.gather(std::as_bytes(ids));
  const auto all_values = communicator.gather(std::as_bytes(std::span<const Real>(values)));
  kernels::Matrix result;
  if (communicator.rank() != 0) return result;
  result.resize(part.info.num_vertices, rows.num_columns);
  result.fill(0);
  for (std::size_t rank = 0; rank < all_ids.size(); ++rank) {
    place_rows(all_ids[rank], all_values[rank], result);
  }
  return result;
}

}  // namespace weft::trainer
