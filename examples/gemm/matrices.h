//===- matrices.h - Matrices on the host, and the reference ---------------===//
#ifndef GEMM_MATRICES_H
#define GEMM_MATRICES_H

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

/// The sizes of C = A B: A has M rows and K columns, B has K and N.
struct Sizes {
  int M, K, N;
  double operations() const { return 2.0 * M * K * N; }
  /// The least that moves: A and B are read once, C is written once.
  double bytes() const {
    return 4.0 * (1.0 * M * K + 1.0 * K * N + 1.0 * M * N);
  }
  bool operator<(const Sizes &other) const {
    return std::tie(M, K, N) < std::tie(other.M, other.K, other.N);
  }
};

/// A matrix in rows.
struct Matrix {
  int rows, columns;
  std::vector<float> values;
  Matrix(int rows, int columns, float value = 0)
      : rows(rows), columns(columns),
        values(static_cast<size_t>(rows) * columns, value) {}
  float *operator[](int row) {
    return values.data() + static_cast<size_t>(row) * columns;
  }
  const float *operator[](int row) const {
    return values.data() + static_cast<size_t>(row) * columns;
  }
  size_t bytes() const { return values.size() * sizeof(float); }
};

inline Matrix randomMatrix(int rows, int columns, unsigned seed) {
  Matrix matrix(rows, columns);
  std::mt19937 numbers(seed);
  for (float &value : matrix.values) // uniform in [-1, 1)
    value = static_cast<int>(numbers() >> 8) * 0x1p-23f - 1;
  return matrix;
}

/// Returns the matrix in another size: cut off, or with zeros added.
inline Matrix resized(const Matrix &matrix, int rows, int columns) {
  Matrix result(rows, columns);
  for (int row = 0; row < std::min(rows, matrix.rows); ++row)
    std::copy_n(matrix[row], std::min(columns, matrix.columns), result[row]);
  return result;
}

/// The product in double precision, with what rounding may change of it.
class Reference {
public:
  Reference(const Matrix &A, const Matrix &B)
      : columns(B.columns), products(static_cast<size_t>(A.rows) * B.columns),
        magnitudes(products.size()) {
    for (int row = 0; row < A.rows; ++row)
      for (int k = 0; k < A.columns; ++k) {
        const double a = A[row][k];
        double *product = &products[static_cast<size_t>(row) * columns];
        double *magnitude = &magnitudes[static_cast<size_t>(row) * columns];
        for (int column = 0; column < columns; ++column) {
          product[column] += a * B[k][column];
          magnitude[column] += std::abs(a * B[k][column]);
        }
      }
    factor = A.columns * std::numeric_limits<float>::epsilon();
  }

  /// Returns the largest error of an element as a part of its bound, which is
  /// K * epsilon * sum |a b|; infinite if an element isn't a number. A sum of
  /// any order stays below one half.
  double largestError(const Matrix &C) const {
    double largest = 0;
    for (size_t i = 0; i < products.size(); ++i) {
      const double error = std::abs(C.values[i] - products[i]);
      const double share = error / (factor * magnitudes[i]);
      if (!(error == 0 || share <= largest))
        largest = std::isnan(share) ? INFINITY : share;
    }
    return largest;
  }

private:
  int columns;
  std::vector<double> products, magnitudes;
  double factor;
};

#endif
