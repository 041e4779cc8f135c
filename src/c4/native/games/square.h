// What games on a square board share: cells counted row by row from the top left, the eight symmetries, names of cells.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace c4 {

template <int size>
struct Square {
  static_assert(size <= 15, "what a cell is numbered by and how many there are fit into one byte");
  static constexpr int kCells = size * size;
  static constexpr int kSymmetries = 8;

  // [symmetry][cell]: where the cell goes. A symmetry is three bits, applied from the highest down:
  // 4 swaps rows and columns, 2 turns the board upside down, 1 swaps left and right.
  static constexpr auto kImage = [] {
    std::array<std::array<std::uint8_t, kCells>, kSymmetries> image{};
    for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
      for (int cell = 0; cell < kCells; ++cell) {
        int row = cell / size;
        int column = cell % size;
        if ((symmetry & 4) != 0) {
          const int old_row = row;
          row = column;
          column = old_row;
        }
        if ((symmetry & 2) != 0) row = size - 1 - row;
        if ((symmetry & 1) != 0) column = size - 1 - column;
        image[symmetry][cell] = static_cast<std::uint8_t>(row * size + column);
      }
    }
    return image;
  }();

  // "h8": the column as a letter from the left, the row as a number from the bottom.
  static std::string Name(int cell) {
    return std::string(1, static_cast<char>('a' + cell % size)) + std::to_string(size - cell / size);
  }

  // -1 for a word that names no cell. The letter may be a capital.
  static int Parse(std::string_view word) {
    if (word.size() < 2 || word[1] == '0') return -1;
    const int column = word[0] - (word[0] < 'a' ? 'A' : 'a');
    if (column < 0 || column >= size) return -1;
    int number = 0;
    const char* end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data() + 1, end, number);
    if (error != std::errc() || rest != end || number < 1 || number > size) return -1;
    return (size - number) * size + column;
  }
};

}  // namespace c4
