// The text of a position, as anybody may type it: the first byte says of which game. It is a line of play that the
// rules allow, and then says the same again, or it is refused in a short sentence that says at which ply.
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "registry/runtime.h"

namespace c4::testing {
namespace {

constexpr std::size_t kLongestSentence = 200;

void CheckSentence(const std::string& sentence) {
  CHECK(sentence.starts_with("ply "));
  CHECK(sentence.size() <= kLongestSentence);
}

void CheckPosition(const GameRuntime& game, const Position& position) {
  const std::string text = position.Text();
  const auto again = game.Parse(text);
  CHECK(again->Actions() == position.Actions());
  CHECK_EQ(again->Text(), text);
  CHECK_EQ(game.FromActions(position.Actions())->Key(), position.Key());

  const std::vector<int> legal = position.Legal();
  CHECK_EQ(legal.empty(), position.IsTerminal());
  if (position.IsTerminal()) {
    CHECK_EQ(position.WinningCells().empty(), position.Result() == 0);
    THROWN(std::invalid_argument, position.Play(0));
  } else {
    THROWN(std::invalid_argument, position.Result());
    CHECK_EQ(position.Play(legal.back())->Ply(), position.Ply() + 1);
  }
  const GameSpec& info = game.Info();
  std::vector<std::uint8_t> planes(static_cast<std::size_t>(info.planes * info.height * info.width));
  position.WritePlanes(planes.data());
  std::vector<std::uint8_t> packed(static_cast<std::size_t>(info.packed_bytes));
  position.Pack(packed.data());
  std::vector<std::uint8_t> unpacked(planes.size());
  const std::uint8_t symmetry = 0;
  game.UnpackPlanes({&symmetry, 1}, packed.data(), unpacked.data());
  CHECK(planes == unpacked);
}

void Run(std::string_view input) {
  static const std::vector<std::string> names = GameNames();
  if (input.empty()) return;
  const GameRuntime& game = FindGame(names[static_cast<std::uint8_t>(input.front()) % names.size()]);
  Position::Pointer position;
  try {
    position = game.Parse(input.substr(1));
  } catch (const std::invalid_argument& error) {
    return CheckSentence(error.what());
  }
  CheckPosition(game, *position);
}

}  // namespace
}  // namespace c4::testing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  c4::testing::Run({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
