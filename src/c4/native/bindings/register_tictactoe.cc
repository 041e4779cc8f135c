// Registers tic-tac-toe.
#include "bindings/runtime_of.h"
#include "games/tictactoe.h"

namespace c4 {
namespace {

const Register<TicTacToe> kTicTacToe("tictactoe", "Tic-tac-toe");

}  // namespace
}  // namespace c4
