// Checks for native tests: CHECK, CHECK_EQ, THROWN. A failed one throws, and says where it stands and what was
// compared.
#pragma once

#include <concepts>
#include <sstream>
#include <stdexcept>
#include <string>

namespace c4::testing {

[[noreturn]] inline void Fail(const char* file, int line, const std::string& what) {
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + what);
}

template <typename T>
std::string Show(const T& value) {
  std::ostringstream text;
  text.precision(9);  // enough digits to tell any two floats apart
  if constexpr (std::integral<T>) {
    text << +value;  // a byte is shown as a number
  } else {
    text << value;
  }
  return text.str();
}

template <typename Left, typename Right>
void CheckEqual(const Left& left, const Right& right, const char* expression, const char* file, int line) {
  if (left == right) return;
  Fail(file, line, std::string(expression) + ": " + Show(left) + " is not " + Show(right));
}

// Runs what must throw an Error, and returns what it said.
template <typename Error, typename Run>
std::string Message(Run run, const char* file, int line) {
  try {
    run();
  } catch (const Error& error) {
    return error.what();
  }
  Fail(file, line, "nothing was thrown");
}

}  // namespace c4::testing

#define CHECK(condition)                                                 \
  do {                                                                   \
    if (!(condition)) c4::testing::Fail(__FILE__, __LINE__, #condition); \
  } while (false)

#define CHECK_EQ(left, right) c4::testing::CheckEqual((left), (right), #left " == " #right, __FILE__, __LINE__)

// What the statement throws; fails when it throws nothing.
#define THROWN(Error, statement) c4::testing::Message<Error>([&] { statement; }, __FILE__, __LINE__)
