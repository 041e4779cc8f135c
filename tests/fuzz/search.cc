// Calls of searches that share a batch.
#include "fuzz_search.h"
#include "sequence.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return c4::testing::RunSequence(bytes, size, []<typename G>(auto& draws) { c4::testing::FuzzSearch<G>(draws); });
}
