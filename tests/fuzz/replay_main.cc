// Any compiler's way to run a target on what is kept: once on each file of the folder that is named. The one on which
// it fails is named.
#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

// The sanitizers end the program with SIGABRT, so that one handler can say the file.
extern "C" const char* __asan_default_options() { return "abort_on_error=1"; }
extern "C" const char* __ubsan_default_options() { return "abort_on_error=1:print_stacktrace=1"; }

namespace {

std::string running;

void SayFile() { std::cerr << "\nwhile it ran " << running << "\n"; }

}  // namespace

int main(int count, char** arguments) {
  if (count != 2 || !std::filesystem::is_directory(arguments[1])) {
    std::cerr << "usage: " << arguments[0] << " FOLDER\n";
    return 2;
  }
  std::signal(SIGABRT, [](int) { SayFile(); });
  std::vector<std::filesystem::path> files(std::filesystem::directory_iterator(arguments[1]), {});
  std::ranges::sort(files);
  for (const auto& path : files) {
    running = path.string();
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
    try {
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    } catch (const std::exception& error) {
      std::cerr << error.what();
      SayFile();
      return 1;
    }
  }
  std::cout << arguments[0] << ": " << files.size() << " files of " << arguments[1] << " found nothing\n";
  return files.empty() ? 1 : 0;
}
