// A layer as linalg on tensors: the product of two matrices, and its positive part.
func.func @main(%x: tensor<4x8xf32>, %weight: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x16xf32>) -> tensor<4x16xf32>
  %product = linalg.matmul ins(%x, %weight : tensor<4x8xf32>, tensor<8x16xf32>)
                           outs(%zeros : tensor<4x16xf32>) -> tensor<4x16xf32>
  %relu = linalg.max ins(%product, %zeros : tensor<4x16xf32>, tensor<4x16xf32>)
                     outs(%empty : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %relu : tensor<4x16xf32>
}
