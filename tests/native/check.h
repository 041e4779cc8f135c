// The test harness of the native tests: TEST, CHECK, CHECK_EQ and a main that runs every test of the file. A failed
// check ends its test, says where it stands and what was compared, and the program ends with 1.
#pragma once

#include <concepts>
#include <cstdio>
#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace c4::testing {

struct Case {
  const char* name;
  void (*run)();
};

inline std::vector<Case>& Cases() {
  static std::vector<Case> cases;
  return cases;
}

struct Registration {
  Registration(const char* name, void (*run)()) { Cases().push_back({name, run}); }
};

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

#define TEST(name)                                                           \
  static void name();                                                        \
  static const c4::testing::Registration kRegistrationOf##name{#name, name}; \
  static void name()

#define CHECK(condition)                                                 \
  do {                                                                   \
    if (!(condition)) c4::testing::Fail(__FILE__, __LINE__, #condition); \
  } while (false)

#define CHECK_EQ(left, right) c4::testing::CheckEqual((left), (right), #left " == " #right, __FILE__, __LINE__)

// What the statement throws; fails when it throws nothing.
#define THROWN(Error, statement) c4::testing::Message<Error>([&] { statement; }, __FILE__, __LINE__)

int main(int, char** arguments) {
  const std::string program = arguments[0];
  int failed = 0;
  for (const auto& [name, run] : c4::testing::Cases()) {
    try {
      run();
    } catch (const std::exception& error) {
      ++failed;
      std::cerr << "FAILED " << name << "\n  " << error.what() << "\n";
    }
  }
  std::cout << program.substr(program.rfind('/') + 1) << ": " << c4::testing::Cases().size() - failed << " passed, "
            << failed << " failed\n";
  return failed == 0 ? 0 : 1;
}
