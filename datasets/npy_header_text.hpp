// SPDX-License-Identifier: MIT
// The dict literal inside a `.npy` header: {'descr': '<f4', 'fortran_order': False, 'shape': (2,)}.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "datasets/npy.hpp"

namespace weft::datasets {

/// Parses the literal; `data_offset` is left at 0.
///
/// name, offset  the file and where the literal begins in it, for messages
/// Errors   InputError "NAME:@OFFSET: found, expected"
[[nodiscard]] NpyHeader parse_npy_header_text(std::string_view literal,
                                              const std::string& name,
                                              std::size_t offset);

}  // namespace weft::datasets
