// Registers Connect Four, on the usual board and on small ones whose solution is known.
#include "games/connect4.h"
#include "registry/runtime_of.h"

namespace c4 {
namespace {

const Register<Connect4<7, 6, 4>> kConnect4("connect4", "Connect Four");
const Register<Connect4<4, 4, 4>> kConnect4On4x4("connect4_4x4", "Connect Four on 4 x 4");
const Register<Connect4<5, 4, 4>> kConnect4On5x4("connect4_5x4", "Connect Four on 5 x 4");
const Register<Connect4<5, 5, 4>> kConnect4On5x5("connect4_5x5", "Connect Four on 5 x 5");
const Register<Connect4<6, 5, 4>> kConnect4On6x5("connect4_6x5", "Connect Four on 6 x 5");

}  // namespace
}  // namespace c4
