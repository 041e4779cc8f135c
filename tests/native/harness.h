// The test harness: TEST, and a main that runs every test of the file and ends with 1 if one failed.
#pragma once

#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "check.h"

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

}  // namespace c4::testing

#define TEST(name)                                                           \
  static void name();                                                        \
  static const c4::testing::Registration kRegistrationOf##name{#name, name}; \
  static void name()

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
