// Another try at the moves that a review found wanting: the position before each comes up, and a move is judged without
// being played. Knows the marks and which ply is looked at, not how moves are judged.
import { byId } from "./dom.js";
import { capital, colour, moveName } from "./words.js";

export class Retry {
  constructor({ onGo, onTry, onHint, onEnd }) {
    Object.assign(this, { onGo, onTry, onHint, onEnd });
    this.active = false;
    byId("retry-show").addEventListener("click", () => this.reveal());
    byId("retry-next").addEventListener("click", () => this.next());
    byId("retry-end").addEventListener("click", () => this.end());
  }

  // `mistakes`: [{ply, action, player, better}], the ply that each move was.
  start(game, mistakes) {
    Object.assign(this, { game, mistakes, active: true, number: -1 });
    byId("retry").hidden = false;
    byId("controls").hidden = true;
    this.next();
  }

  end() {
    if (!this.active) return;
    this.active = false;
    byId("retry").hidden = true;
    byId("controls").hidden = false;
    this.onEnd();
  }

  next() {
    this.number += 1;
    if (this.number >= this.mistakes.length) {
      this.end();
      return;
    }
    const { ply, player, action } = this.mistakes[this.number];
    this.tell(`${capital(colour(this.game, player))} played ${moveName(this.game, action)} here. Find a better move.`);
    byId("retry-show").hidden = false;
    byId("retry-next").textContent = this.number + 1 < this.mistakes.length ? "Next mistake" : "Done";
    this.onGo(ply - 1);
  }

  // Somebody chose a move on the board.
  choose(action) {
    this.tell("Let me see…");
    this.onTry(action);
  }

  judged(action, { mark, sentence }) {
    const name = capital(moveName(this.game, action));
    if (mark) {
      this.tell(`${name} ${sentence.split(":")[0]}. Try another.`);
      return;
    }
    this.tell(`${name} is right: nothing is given away.`);
    byId("retry-show").hidden = true;
    this.onHint(action);
  }

  reveal() {
    const { better } = this.mistakes[this.number];
    this.tell(`${capital(moveName(this.game, better))} was better.`);
    byId("retry-show").hidden = true;
    this.onHint(better);
  }

  tell(sentence) {
    byId("retry-text").textContent = `${this.number + 1} of ${this.mistakes.length}: ${sentence}`;
  }
}
