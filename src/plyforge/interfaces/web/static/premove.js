// A move that is chosen while the opponent thinks, and made at once when it is legal.

import { announce, say } from "./common.js";

export class Premove {
  /** `onChange()` is called when the premove is chosen or cancelled. */
  constructor(board, onChange) {
    this.board = board;
    this.onChange = onChange;
    this.cells = []; // where the move starts and ends; one cell where pieces are placed
    this.complete = false;
    this.side = null;
    this.ply = 0; // the number of moves when it was chosen
    this.state = null; // the latest state of the game
    board.holder.addEventListener("pointerdown", (event) => {
      if (event.button === 2 && this.cancel()) event.preventDefault();
    });
    addEventListener("keydown", (event) => { if (event.key === "Escape") this.cancel(); });
  }

  /** The premove as text, such as "e7 to e5"; empty if there is none. */
  get text() {
    return this.complete ? this.cells.join(" to ") : "";
  }

  /** Drop the premove; return whether there was one, or the start of one. */
  cancel() {
    const had = this.cells.length > 0;
    if (this.complete) say("The premove is cancelled.");
    this.#set([], false);
    return had;
  }

  /** Use a new state of the game: play the premove if it is legal now, or allow one. */
  update(state) {
    this.state = state;
    const waiting = !state.end && state.people.length === 1 && state.turn !== state.people[0];
    this.side = state.people[0] ?? null;
    if (waiting) this.board.onWaiting = (cell, restart) => this.#choose(cell, restart, state.moves.length);
    if (waiting && state.moves.length >= this.ply) this.#mark();
    else if (state.moves.length <= this.ply) this.#finish(state, waiting);
    // Until the board shows the state, a click still chooses a premove: there is no legal move yet.
    else this.board.updates.then(() => { if (this.state === state) this.#finish(state, waiting); });
  }

  /** Play the premove if it is legal in a state that is shown now, or else drop it. */
  #finish(state, waiting) {
    const { cells, complete, text } = this;
    const answered = cells.length && state.legal.length && state.moves.length > this.ply;
    if (!waiting) this.board.onWaiting = null;
    this.#set([], false);
    if (!answered || this.board.ply !== state.moves.length || !this.board.legal.length) return;
    if (!complete) {
      this.board.choose(cells[0]);
      return;
    }
    const matching = state.legal.filter((move) => this.#matches(move, cells));
    if (matching.length) this.board.makeOneOf(matching);
    else say(`The premove ${text} is not possible now.`);
  }

  #matches(move, cells) {
    const { kind } = this.board;
    if (cells.length === 2) return move.cells.length > 1 && kind !== "pits" && move.cells[0] === cells[0] && move.cells.at(-1) === cells[1];
    return (move.cells.length === 1 || kind === "pits") && this.board.startsAt(move, cells[0]);
  }

  /** Choose a cell: an own piece starts a move, and the next cell ends it; an empty cell is a move. */
  #choose(cell, restart, ply) {
    if (restart || this.complete) this.#set([], false);
    this.ply = ply;
    if (cell === null) return;
    if (this.cells.length) {
      const [start] = this.cells;
      this.#set(start === cell ? [] : [start, cell], start !== cell);
      return;
    }
    const piece = this.board.kind === "pits" ? null : this.board.pieceOn(cell);
    if (piece && Number(piece.dataset.side) !== this.side) return;
    this.#set([cell], !piece);
  }

  #set(cells, complete) {
    const changed = this.complete !== complete || this.cells.length !== cells.length;
    this.cells = cells;
    this.complete = complete;
    if (!changed) return;
    this.#mark();
    if (complete) announce(`Premove: ${this.text}. Escape cancels it.`);
    this.onChange();
  }

  /** Mark the cells on the board, also in a picture that is not shown yet. */
  #mark() {
    this.board.premoved = this.cells;
    this.board.refresh();
  }
}
