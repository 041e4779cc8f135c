// Registers tic-tac-toe.
#include "games/tictactoe.h"
#include "registry/runtime_of.h"

namespace c4 {
namespace {

const Register<TicTacToe> kTicTacToe("tictactoe", "Tic-tac-toe");

}  // namespace
}  // namespace c4
