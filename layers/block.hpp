// SPDX-License-Identifier: MIT
// One layer of a model: convolution, norm, activation, and the dropout of what the next layer
// reads.
//
// What follows a convolution is done to each row by the operation that finishes it, so a block
// stores its output once, as the next block reads it. Backward does the same: the block above
// finishes the rows of the gradient with the activation and dropout of this one, because its input
// is this block's output and tells where they let something through.
#pragma once

#include <memory>
#include <string>

#include "layers/convolution.hpp"

namespace weft::layers {

enum class ConvolutionType { gcn, sage };
enum class NormType { none, layer };
enum class ActivationType { none, relu };

struct BlockSpec {
  ConvolutionType convolution = ConvolutionType::gcn;
  ConvolutionShape shape;
  float dropout = 0;            ///< of the block's input
  bool drops_own_input = true;  ///< false where the block below has done it
  ActivationType input_activation = ActivationType::none;  ///< of the block below
  NormType norm = NormType::none;
  ActivationType activation = ActivationType::relu;
  float output_dropout = 0;  ///< of the block's output, for the block above
  kernels::Storage output_storage = kernels::Storage::real;
};

class Block {
 public:
  Block(ParameterStore& store, const BlockSpec& spec);

  void initialize(ParameterStore& store, std::uint64_t seed);

  /// Rows are the pass's: the scope of this layer has n inputs and m outputs.
  ///
  /// Shapes   x [at least n x num_inputs]; returns [m x num_outputs], valid until the next forward
  /// Collective
  kernels::ConstMatrixView forward(Pass& pass, ParameterStore& store, const LayerInput& x);

  /// `grad_y` is the gradient before this block's activation and output dropout. Where the shape
  /// asks for it, grad_x receives the gradient of the input before the activation of the block
  /// below.
  ///
  /// Shapes   grad_y [m x num_outputs], grad_x [n x num_inputs] or unused
  /// Collective
  void backward(Pass& pass,
                ParameterStore& store,
                kernels::ConstMatrixView grad_y,
                kernels::MatrixView grad_x);

  [[nodiscard]] const BlockSpec& spec() const { return spec_; }
  /// Whether grad_x may lie where grad_y lies.
  [[nodiscard]] bool may_overwrite_gradient() const {
    return spec_.norm != NormType::none || convolution_->may_overwrite_gradient();
  }

 private:
  [[nodiscard]] LayerInput drop_input(Pass& pass, const LayerInput& x);
  /// Of the input of layer `layer`: this one or the next.
  [[nodiscard]] static kernels::DropoutMask mask(const Pass& pass, int layer, float probability);
  [[nodiscard]] bool drops(const Pass& pass) const { return pass.training && spec_.dropout > 0; }

  BlockSpec spec_;
  std::string output_name_;  ///< for observers; made once, so that epochs allocate nothing
  std::string grad_output_name_;
  std::unique_ptr<Convolution> convolution_;
  ParameterId norm_gain_ = 0;
  ParameterId norm_bias_ = 0;
  LayerInput input_;            ///< what the convolution saw in the last forward
  kernels::Matrix dropped_;     ///< [n x num_inputs] where dropout is on and x is dense
  kernels::Matrix convolved_;   ///< [m x num_outputs]
  kernels::Matrix normalized_;  ///< [m x num_outputs] where there is a norm
  kernels::Matrix grad_norm_;   ///< [m x num_outputs] where there is a norm
};

}  // namespace weft::layers
