// A game on a board, gone through move by move: a stored one, or one under way.

import { element, sideDot, svg } from "./common.js";

const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
let shown = null;

document.addEventListener("keydown", (event) => shown?.key(event));

export class Viewer {
  /** `load(ply)` promises the board after so many moves, where the page has not seen it. */
  constructor(load) {
    this.load = load;
    this.boards = new Map();
    this.moves = [];
    this.ply = 0;
    this.stage = element("div", { class: "stage" });
    this.list = element("ol", { class: "moves", "aria-label": "Moves" });
    this.told = element("p", { class: "told", role: "status", "aria-live": "polite" });
    this.comment = element("p", { class: "comment" });
    this.buttons = {
      first: this.button("«", "First position", () => this.show(0)),
      back: this.button("‹", "One move back", () => this.show(this.ply - 1)),
      forward: this.button("›", "One move forward", () => this.show(this.ply + 1)),
      last: this.button("»", "Last position", () => this.show(this.moves.length)),
    };
    this.bar = element("div", { class: "row bar", role: "group", "aria-label": "Go through the game" },
      ...Object.values(this.buttons));
    shown = this;
  }

  button(sign, label, act) {
    return element("button", { type: "button", "aria-label": label, title: label, onclick: act },
      element("span", { "aria-hidden": "true" }, sign));
  }

  key(event) {
    const name = KEYS[event.key];
    if (!name || event.altKey || event.ctrlKey || event.metaKey || !this.stage.isConnected) return;
    if (this.stage.closest("[hidden]") || event.target.closest("input, select, textarea, .scroll, .paper")) return;
    event.preventDefault();
    this.buttons[name].click();
  }

  /** Begin with a game: `moves` of {side, text}, `opening` of them random; boards by ply. */
  set(game, boards = {}) {
    this.game = game;
    this.moves = [];
    this.boards = new Map(Object.entries(boards).map(([ply, text]) => [Number(ply), text]));
    this.list.replaceChildren();
    for (const move of game.moves) this.append(move);
  }

  append(move) {
    this.moves.push(move);
    const ply = this.moves.length;
    const opening = ply <= (this.game.opening ?? 0);
    this.list.append(element("li", { class: opening ? "opening" : null },
      element("button", {
        type: "button", "data-ply": ply, title: opening ? "played at random, before the players began" : null,
        "aria-label": `Move ${ply}, ${this.game.sides[move.side]}: ${move.text}${move.score ? `, score ${move.score}` : ""}`,
        onclick: () => this.show(ply),
      },
      element("span", { class: "number" }, String(ply)),
      sideDot(this.game.colours[move.side]),
      element("span", { class: "text" }, move.text),
      move.score ? element("span", { class: "score" }, move.score) : null)));
  }

  /** Another move of a game under way; who looks at the last position follows it. */
  add(move, board) {
    const follows = this.ply === this.moves.length;
    this.append(move);
    this.boards.set(this.moves.length, board);
    if (follows) this.show(this.moves.length);
    else this.mark();
  }

  async show(ply) {
    this.ply = Math.min(Math.max(ply, 0), this.moves.length);
    this.mark();
    const wanted = this.ply;
    try {
      const text = await this.board(wanted);
      if (wanted !== this.ply) return;
      this.stage.replaceChildren(svg(text));
      if (wanted < this.moves.length) this.board(wanted + 1).catch(() => {});
    } catch (error) {
      if (wanted === this.ply) this.stage.replaceChildren(element("p", { class: "wrong" }, error.message));
    }
  }

  async board(ply) {
    if (!this.boards.has(ply)) {
      const coming = this.load(ply);
      this.boards.set(ply, coming);
      coming.catch(() => this.boards.delete(ply));
    }
    return this.boards.get(ply);
  }

  mark() {
    const { ply } = this;
    for (const old of this.list.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    const current = this.list.querySelector(`[data-ply="${ply}"]`);
    if (current) {
      current.setAttribute("aria-current", "step");
      const item = current.parentElement;
      const top = item.offsetTop; // within the list, which is positioned
      if (top < this.list.scrollTop || top + item.offsetHeight > this.list.scrollTop + this.list.clientHeight) {
        this.list.scrollTop = top - this.list.clientHeight / 2;
      }
    }
    const move = this.moves[ply - 1];
    this.told.textContent = move
      ? `${ply} of ${this.moves.length}: ${this.game.sides[move.side]} ${move.text}${details(move)}`
      : "The start";
    this.comment.textContent = this.game.comments?.[ply] ?? "";
    this.buttons.first.disabled = this.buttons.back.disabled = ply === 0;
    this.buttons.last.disabled = this.buttons.forward.disabled = ply >= this.moves.length;
  }
}

function details(move) {
  const parts = [];
  if (move.score) parts.push(`score ${move.score}`);
  if (move.depth) parts.push(`depth ${move.depth}`);
  if (move.nodes) parts.push(`${move.nodes.toLocaleString("en")} nodes`);
  if (move.seconds !== undefined) parts.push(`${move.seconds.toFixed(2)} s`);
  return parts.length ? ` (${parts.join(", ")})` : "";
}

/** Who plays which side. */
export function pairing(game, result = "") {
  const side = (number) => element("span", { class: "player" },
    sideDot(game.colours[number]), element("strong", {}, game.sides[number]), ` ${game.players[number]}`);
  return element("p", { class: "pairing" }, side(0), element("span", { class: "versus" }, result || "against"), side(1));
}
