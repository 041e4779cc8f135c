// Random plies of a game, with every question asked on the way.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "check.h"
#include "draws.h"
#include "game.h"
#include "rng.h"

namespace c4::testing {

// The state as the network and as a sample see it, under a symmetry, against the board itself.
template <ReadableGame G>
void CheckViews(const G& state, Draws& draws) {
  constexpr int kCells = G::kHeight * G::kWidth;
  const int symmetry = static_cast<int>(draws.Below(G::kSymmetries));
  std::vector<std::uint8_t> planes(static_cast<std::size_t>(G::kPlanes) * kCells, 7);
  state.WritePlanes(planes.data(), symmetry);
  int own = 0;
  int other = 0;
  for (int cell = 0; cell < kCells; ++cell) {
    CHECK(planes[cell] + planes[kCells + cell] <= 1);
    CHECK_EQ(planes[2 * kCells + cell], state.Ply() % 2 == 0 ? 1 : 0);
    own += planes[cell];
    other += planes[kCells + cell];
    const int stone = state.StoneAt(cell / G::kWidth, cell % G::kWidth);
    CHECK(0 <= stone && stone <= 2);
  }
  CHECK_EQ(own + other, state.Ply());
  CHECK_EQ(other - own, state.Ply() % 2);

  std::array<std::uint8_t, G::kPackedBytes> packed{};
  state.Pack(packed.data());
  const G unpacked = G::Unpack(packed.data());
  CHECK_EQ(unpacked.Key(), state.Key());
  CHECK_EQ(unpacked.Ply(), state.Ply());
  CHECK_EQ(unpacked.IsTerminal(), state.IsTerminal());
  CHECK_EQ(unpacked.CanonicalKey(&own), state.CanonicalKey(&other));
  CHECK_EQ(own, other);
}

// Names and words that may name nothing.
template <ReadableGame G>
void CheckNames(Draws& draws) {
  const int action = static_cast<int>(draws.Below(G::kActions));
  CHECK_EQ(G::ParseAction(G::ActionName(action)), action);
  std::string word(draws.Below(5), ' ');
  for (char& letter : word) letter = static_cast<char>(draws.Below(256));
  const int parsed = G::ParseAction(word);
  CHECK(-1 <= parsed && parsed < G::kActions);
}

// Any bytes at all may be unpacked and looked at.
template <ReadableGame G>
void CheckAnyBytes(Rng rng) {
  std::array<std::uint8_t, G::kPackedBytes> packed{};
  for (std::uint8_t& byte : packed) byte = static_cast<std::uint8_t>(rng.Below(256));
  const G state = G::Unpack(packed.data());
  std::vector<std::uint8_t> planes(static_cast<std::size_t>(G::kPlanes) * G::kHeight * G::kWidth);
  state.WritePlanes(planes.data(), static_cast<int>(rng.Below(G::kSymmetries)));
  int symmetry = 0;
  state.CanonicalKey(&symmetry);
  CHECK(0 <= symmetry && symmetry < G::kSymmetries);
}

// Two symmetric images of a state have one canonical image, to the last cell.
template <ReadableGame G>
void CheckCanonicalImages(const G& state, const G& image) {
  int of_state = 0;
  int of_image = 0;
  CHECK_EQ(state.CanonicalKey(&of_state), image.CanonicalKey(&of_image));
  std::vector<std::uint8_t> one(static_cast<std::size_t>(G::kPlanes) * G::kHeight * G::kWidth);
  std::vector<std::uint8_t> other(one.size());
  state.WritePlanes(one.data(), of_state);
  image.WritePlanes(other.data(), of_image);
  CHECK(one == other);
}

// One game from its start to its end, or to that of the bytes, beside it the same game under a symmetry. Returns the
// number of calls made.
template <ReadableGame G>
std::uint64_t FuzzGame(Draws& draws) {
  const int symmetry = static_cast<int>(draws.Below(G::kSymmetries));
  G state;
  G image;
  std::uint64_t calls = 0;
  for (;;) {
    CheckViews(state, draws);
    CheckNames<G>(draws);
    CheckAnyBytes<G>(draws.Stream());
    CheckCanonicalImages(state, image);
    CHECK_EQ(state.IsTerminal(), image.IsTerminal());
    calls += 4;
    if (state.IsTerminal()) break;
    if (draws.Ended()) return calls;
    std::uint8_t legal[G::kActions];
    const int count = state.LegalActions(legal);
    CHECK(0 < count && count <= G::kMaxPlies - state.Ply());
    int legal_by_asking = 0;
    for (int action = 0; action < G::kActions; ++action) {
      legal_by_asking += state.IsLegal(action) ? 1 : 0;
      if (!state.IsLegal(action)) CHECK(!state.WhyIllegal(action).empty());
    }
    CHECK_EQ(legal_by_asking, count);
    if constexpr (PicksLegal<G>) {
      CHECK_EQ(state.NumLegal(), count);
      const int step = draws.FromBytes() ? 1 + count / 8 : 1;  // by coverage, many games tell more than all of one
      for (int n = 0; n < count; n += step) CHECK_EQ(state.LegalAction(n), static_cast<int>(legal[n]));
    }
    const int action = legal[draws.Below(static_cast<std::uint32_t>(count))];
    CHECK(image.IsLegal(G::Transform(action, symmetry)));
    state.Play(action);
    image.Play(G::Transform(action, symmetry));
  }
  CHECK_EQ(state.Result(), image.Result());
  CHECK(state.Result() == -1 || (state.Result() == 0 && state.Ply() == G::kMaxPlies));
  return calls;
}

}  // namespace c4::testing
