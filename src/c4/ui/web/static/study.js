// The game and the variations that were tried beside it; one of these lines is on the board. Knows no server, no page.
// A line is a list of actions from the empty board on. What is asked for (`expected`) takes place when the server has
// done it: what it says meanwhile is still about the line that was there before.
const GAME = -1, NEW = "new"; // `at`: the game itself, the number of a variation, or of what is expected one that is not yet there

const same = (one, other) => one.length === other.length && begins(one, other);
const begins = (line, start) => start.every((action, ply) => line[ply] === action);

export class Study {
  constructor() {
    this.clear();
  }

  clear() {
    this.game = { line: [], ply: 0, resigned: null };
    this.variations = [];
    this.at = GAME;
    this.kept = false; // reviewed, or brought from elsewhere: what is played before its end never changes it
    this.looked = false; // somebody looked back, which is not to take back
    this.expected = null;
  }

  get inVariation() {
    return this.at !== GAME;
  }

  // The board shows this now; `state` as the server tells it.
  see(state) {
    const { line, ply, resigned } = state;
    if (this.expected && this.arrived(line)) {
      const { at, gone } = this.expected;
      this.at = at === NEW ? this.variations.push(null) - 1 : at;
      if (gone !== undefined) this.remove(gone);
      this.expected = null;
    }
    const shown = { line, ply, resigned };
    if (this.inVariation) this.variations[this.at] = shown;
    else this.game = shown;
    if (ply === line.length) this.looked = false;
  }

  arrived(line) {
    const { line: wanted, open } = this.expected;
    return open ? begins(line, wanted) : same(line, wanted);
  }

  // What to do when moves are played from where the board is: null to play them, or a line that has them already, to be
  // put on the board. `aside`: they are looked at, and never belong to the game.
  playing(state, actions, { aside = false } = {}) {
    this.expected = null;
    const ahead = state.ply < state.line.length;
    const apart = aside ? !this.inVariation || ahead : ahead && (this.inVariation || this.kept || this.looked);
    if (!apart) return null;
    const line = [...state.line.slice(0, state.ply), ...actions];
    const known = [this.game, ...this.variations].findIndex((each) => begins(each.line, line));
    if (known >= 0) return { ...this.to(known - 1), ply: line.length };
    this.expected = { line, at: NEW, open: true };
    return null;
  }

  // To another line: what to put on the board.
  to(at) {
    const { line, ply, resigned } = at === GAME ? this.game : this.variations[at];
    this.expected = at === this.at ? null : { line, at };
    return { at, line, ply, resigned };
  }

  // Back to the game, where the variation left it.
  leave() {
    return { ...this.to(GAME), ply: this.fork(this.at) };
  }

  // The same, and the variation goes as soon as the game is on the board again.
  drop() {
    const gone = this.at, game = this.leave();
    this.expected.gone = gone;
    return game;
  }

  refused() {
    this.expected = null;
  }

  // Not the one on the board.
  remove(at) {
    this.variations.splice(at, 1);
    if (this.at > at) this.at -= 1;
  }

  // The ply at which a variation leaves the game.
  fork(at) {
    const { line } = this.variations[at];
    const apart = line.findIndex((action, ply) => this.game.line[ply] !== action);
    return apart < 0 ? line.length : apart;
  }

  // To keep and to come back from, as plain values.
  saved() {
    const { game, variations, at, kept, looked } = this;
    return { game, variations, at, kept, looked };
  }

  restore(saved) {
    this.clear();
    Object.assign(this, saved);
  }
}
