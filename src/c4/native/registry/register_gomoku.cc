// Registers Gomoku on boards of several sizes.
#include "games/gomoku.h"
#include "registry/runtime_of.h"

namespace c4 {
namespace {

const Register<Gomoku<6, 4>> kGomoku6("gomoku6", "Gomoku on 6 x 6, four in a row");
const Register<Gomoku<8, 5>> kGomoku8("gomoku8", "Gomoku on 8 x 8");
const Register<Gomoku<9, 5>> kGomoku9("gomoku9", "Gomoku on 9 x 9");
const Register<Gomoku<15, 5>> kGomoku15("gomoku15", "Gomoku on 15 x 15");

}  // namespace
}  // namespace c4
