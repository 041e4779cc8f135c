// Writing plain data into a string of bytes and reading it back with every length checked.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace c4 {

class ByteWriter {
 public:
  template <typename T>
  void Put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }

  template <typename T>
  void PutAll(const std::vector<T>& values) {
    Put(static_cast<std::uint64_t>(values.size()));
    for (const T& value : values) Put(value);
  }

  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  T Get() {
    static_assert(std::is_trivially_copyable_v<T>);
    if (bytes_.size() < sizeof(T)) throw std::invalid_argument("the saved state ends too early");
    T value;
    std::memcpy(&value, bytes_.data(), sizeof(T));
    bytes_.remove_prefix(sizeof(T));
    return value;
  }

  template <typename T>
  std::vector<T> GetAll() {
    const auto count = Get<std::uint64_t>();
    if (count > bytes_.size() / sizeof(T)) throw std::invalid_argument("the saved state ends too early");
    std::vector<T> values;
    values.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) values.push_back(Get<T>());
    return values;
  }

  void ExpectEnd() const {
    if (!bytes_.empty()) throw std::invalid_argument("the saved state is longer than it should be");
  }

 private:
  std::string_view bytes_;
};

}  // namespace c4
