// Calls of a generator.
#include "sequence.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return c4::testing::RunSequence(bytes, size, c4::testing::GeneratorCalls);
}
