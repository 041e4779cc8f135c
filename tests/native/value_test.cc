// The sign convention as the C++ side states it.
#include "value.h"

#include "harness.h"

namespace c4 {
namespace {

TEST(WhatOnePlayerWinsTheOtherLoses) {
  CHECK_EQ(Flip(kWin), kLoss);
  CHECK_EQ(Flip(kLoss), kWin);
  CHECK_EQ(FlipResult(1), -1);
  CHECK_EQ(FlipResult(0), 0);
}

TEST(FlippingTwiceChangesNothing) {
  for (const Value value : {-1.0f, -0.3f, 0.0f, 0.7f, 1.0f}) CHECK_EQ(Flip(Flip(value)), value);
}

TEST(ADrawIsADrawForBoth) { CHECK_EQ(Flip(kDraw), kDraw); }

}  // namespace
}  // namespace c4
