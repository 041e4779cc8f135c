// Memory in pages of one size, for many trees that grow and shrink by turns: what one gives back, the next one takes.
// Knows nothing of what is written there.
//
// All pages lie in one range of addresses, reserved at once. Its beginning is made usable step by step, as pages are
// taken: only that counts as memory, against limits (ulimit -d) too. The lowest free page is taken first, so that the
// end runs empty when little is in use, and its memory returns to the operating system.
#pragma once

#include <sys/mman.h>
#include <sys/resource.h>

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

  // Reserves addresses for `most` pages, or as many as the system allows. Where addresses are limited (ulimit -v), most
  // of them are left to others.
  Pages(std::size_t page_bytes, std::size_t most) : page_bytes_(page_bytes), words_(most / kWordPages) {
    words_ = std::min(words_, AddressLimit() / kShare / word_bytes());
    while (words_ > 0 && (start_ = Reserve()) == nullptr) words_ /= 2;
    if (start_ == nullptr) throw std::bad_alloc();
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
      Use((free_.size() + 1) * word_bytes());
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
  static constexpr std::size_t kStep = std::size_t{16} << 20;       // bytes made usable at once: whole huge pages
  static constexpr std::size_t kShare = 4;                          // one part in so many of limited addresses

  std::size_t word_bytes() const { return kWordPages * page_bytes_; }

  static std::size_t AddressLimit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
    return static_cast<std::size_t>(limit.rlim_cur);
  }

  std::byte* Reserve() const {
    void* start = mmap(nullptr, words_ * word_bytes(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return start == MAP_FAILED ? nullptr : static_cast<std::byte*>(start);
  }

  std::size_t UpToStep(std::size_t bytes) const {
    return std::min((bytes + kStep - 1) / kStep * kStep, words_ * word_bytes());
  }

  // The first so many bytes, at least.
  void Use(std::size_t bytes) {
    if (bytes <= usable_) return;
    const std::size_t to = UpToStep(bytes);
    if (mprotect(start_ + usable_, to - usable_, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    usable_ = to;
  }

  void ReleaseEnd() {
    const std::size_t before = free_.size();
    while (!free_.empty() && free_.back() == ~std::uint64_t{0}) free_.pop_back();
    if (free_.size() == before) return;
    lowest_ = std::min(lowest_, free_.size());
    const std::size_t from = UpToStep(free_.size() * word_bytes());
    if (from >= usable_) return;
    madvise(start_ + from, usable_ - from, MADV_DONTNEED);
    if (mprotect(start_ + from, usable_ - from, PROT_NONE) == 0) usable_ = from;
  }

  std::size_t page_bytes_;
  std::size_t words_;
  std::byte* start_ = nullptr;
  std::size_t usable_ = 0;  // bytes from the start
  mutable std::mutex mutex_;
  std::vector<std::uint64_t> free_;  // of the pages that were touched, a bit for each that is free
  std::size_t lowest_ = 0;           // no word of free_ before this one has a bit
  std::size_t taken_ = 0;
};

}  // namespace c4
