// Memory in pages of one size, for many trees that grow and shrink by turns: what one gives back, the next one takes.
// Knows nothing of what is written there.
//
// All pages lie in one range of addresses, reserved at once; memory is used from the first touch of a page. The lowest
// free page is taken first, so that the end of the range runs empty when little is in use, and its memory returns to
// the operating system.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <vector>

namespace c4 {

class Pages {
 public:
  using Page = std::uint32_t;

  // Reserves addresses for `most` pages, or as many as the system allows.
  Pages(std::size_t page_bytes, std::size_t most) : page_bytes_(page_bytes), words_(most / kWordPages) {
    start_ = Map(words_ * word_bytes());
    while (start_ == nullptr) {
      words_ /= 2;
      if (words_ == 0) throw std::bad_alloc();
      start_ = Map(words_ * word_bytes());
    }
#ifdef MADV_HUGEPAGE  // a tree's nodes are read in no order: fewer, larger entries of the address translation help
    madvise(start_, words_ * word_bytes(), MADV_HUGEPAGE);
#endif
  }
  ~Pages() { munmap(start_, words_ * word_bytes()); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  std::byte* At(Page page) const { return start_ + page * page_bytes_; }

  // Any thread may take and give. What a page holds when it is taken is undefined.
  Page Take() {
    const std::lock_guard lock(mutex_);
    while (lowest_ < free_.size() && free_[lowest_] == 0) ++lowest_;
    if (lowest_ == free_.size()) {
      if (free_.size() == words_) throw std::bad_alloc();
      free_.push_back(~std::uint64_t{0});
    }
    const int bit = std::countr_zero(free_[lowest_]);
    free_[lowest_] &= free_[lowest_] - 1;
    ++taken_;
    return static_cast<Page>(lowest_ * kWordPages + static_cast<std::size_t>(bit));
  }

  void Give(Page page) {
    const std::lock_guard lock(mutex_);
    const std::size_t word = page / kWordPages;
    free_[word] |= std::uint64_t{1} << page % kWordPages;
    lowest_ = std::min(lowest_, word);
    --taken_;
    if (free_.size() * kWordPages > kKept * taken_ + kKeptBytes / page_bytes_) ReleaseEnd();
  }

  // Bytes of pages that are taken, and of those that are held for the next to take as well.
  std::size_t taken_bytes() const {
    const std::lock_guard lock(mutex_);
    return taken_ * page_bytes_;
  }
  std::size_t held_bytes() const {
    const std::lock_guard lock(mutex_);
    return free_.size() * word_bytes();
  }

 private:
  static constexpr std::size_t kWordPages = 64;  // a bit for each
  static constexpr std::size_t kKept = 4;        // times what is taken may be held, for trees that all shrink at once
  static constexpr std::size_t kKeptBytes = std::size_t{64} << 20;  // ... and this much more, for the sake of no calls
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;

  std::size_t word_bytes() const { return kWordPages * page_bytes_; }

  static std::byte* Map(std::size_t bytes) {
    void* start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return start == MAP_FAILED ? nullptr : static_cast<std::byte*>(start);
  }

  void ReleaseEnd() {
    const std::size_t before = free_.size();
    while (!free_.empty() && free_.back() == ~std::uint64_t{0}) free_.pop_back();
    if (free_.size() == before) return;
    lowest_ = std::min(lowest_, free_.size());
    const auto up = [](std::size_t bytes) { return (bytes + kHugePage - 1) / kHugePage * kHugePage; };
    const std::size_t from = up(free_.size() * word_bytes());
    const std::size_t to = std::min(up(before * word_bytes()), words_ * word_bytes());
    if (from < to) madvise(start_ + from, to - from, MADV_DONTNEED);
  }

  std::size_t page_bytes_;
  std::size_t words_;
  std::byte* start_ = nullptr;
  mutable std::mutex mutex_;
  std::vector<std::uint64_t> free_;  // of the pages that were touched, a bit for each that is free
  std::size_t lowest_ = 0;           // no word of free_ before this one has a bit
  std::size_t taken_ = 0;
};

}  // namespace c4
