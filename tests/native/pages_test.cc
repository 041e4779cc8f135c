// Pages are given to one holder at a time, the lowest free one first, and their memory returns to the system.
#include "search/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <set>
#include <vector>

#include "harness.h"
#include "search/thread_pool.h"

namespace c4 {
namespace {

constexpr std::size_t kPageBytes = 4096 * 7;
constexpr std::size_t kMost = 16'384;

std::vector<Pages::Page> Take(Pages& pages, std::size_t count) {
  std::vector<Pages::Page> taken;
  for (std::size_t i = 0; i < count; ++i) {
    taken.push_back(pages.Take());
    std::memset(pages.At(taken.back()), 1, kPageBytes);
  }
  return taken;
}

// What the operating system holds of the first `count` pages.
std::size_t ResidentBytes(const Pages& pages, std::size_t count) {
  const auto unit = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> resident(count * kPageBytes / unit);
  CHECK_EQ(mincore(pages.At(0), resident.size() * unit, resident.data()), 0);
  return unit * static_cast<std::size_t>(std::count_if(resident.begin(), resident.end(),
                                                       [](unsigned char byte) { return (byte & 1) != 0; }));
}

TEST(NoPageIsTakenTwice) {
  Pages pages(kPageBytes, kMost);
  const auto taken = Take(pages, 1'000);
  CHECK_EQ(std::set(taken.begin(), taken.end()).size(), taken.size());
  CHECK_EQ(pages.taken_bytes(), 1'000 * kPageBytes);
}

TEST(TheLowestFreePageIsTakenFirst) {
  Pages pages(kPageBytes, kMost);
  Take(pages, 300);
  for (const Pages::Page page : {200u, 7u, 70u}) pages.Give(page);
  for (const Pages::Page page : {7u, 70u, 200u, 300u}) CHECK_EQ(pages.Take(), page);
}

TEST(MemoryReturnsToTheSystemWhenLittleIsInUse) {
  constexpr std::size_t kMany = 8'000;
  Pages pages(kPageBytes, kMost);
  const auto taken = Take(pages, kMany);
  CHECK(ResidentBytes(pages, kMany) >= kMany * kPageBytes);
  for (std::size_t i = 100; i < kMany; ++i) pages.Give(taken[i]);
  CHECK(pages.held_bytes() < kMany * kPageBytes / 2);
  CHECK(ResidentBytes(pages, kMany) < kMany * kPageBytes / 2);
  for (std::size_t i = 0; i < 100; ++i) CHECK_EQ(+static_cast<unsigned char>(*pages.At(taken[i])), 1);
}

TEST(WhatWasReturnedCanBeTakenAgain) {
  Pages pages(kPageBytes, kMost);
  for (int round = 0; round < 3; ++round) {
    const auto taken = Take(pages, 4'000);
    CHECK_EQ(std::set(taken.begin(), taken.end()).size(), taken.size());
    for (const Pages::Page page : taken) pages.Give(page);
    CHECK_EQ(pages.taken_bytes(), 0u);
  }
}

TEST(MemoryIsKeptForTreesThatShrinkAtOnce) {
  Pages pages(kPageBytes, kMost);
  const auto taken = Take(pages, 8'000);
  const std::size_t held = pages.held_bytes();
  for (std::size_t i = 4'000; i < 8'000; ++i) pages.Give(taken[i]);
  CHECK_EQ(pages.held_bytes(), held);
}

TEST(WhenAllIsTakenThatIsSaid) {
  Pages pages(kPageBytes, /*most=*/128);
  Take(pages, 128);
  THROWN(std::bad_alloc, pages.Take());
  pages.Give(5);
  CHECK_EQ(pages.Take(), 5u);
}

TEST(ManyThreadsTakeAndGive) {
  Pages pages(kPageBytes, kMost);
  ThreadPool threads(4);
  threads.ForEach(64, [&pages](std::size_t i, int) {
    std::vector<Pages::Page> mine;
    for (int round = 0; round < 50; ++round) {
      mine.push_back(pages.Take());
      std::memset(pages.At(mine.back()), static_cast<int>(i), kPageBytes);
      if (round % 3 == 2) {
        pages.Give(mine[1]);
        mine.erase(mine.begin() + 1);
      }
    }
    for (const Pages::Page page : mine) {
      for (std::size_t k = 0; k < kPageBytes; ++k) CHECK_EQ(std::to_integer<std::size_t>(pages.At(page)[k]), i);
      pages.Give(page);
    }
  });
  CHECK_EQ(pages.taken_bytes(), 0u);
}

}  // namespace
}  // namespace c4
