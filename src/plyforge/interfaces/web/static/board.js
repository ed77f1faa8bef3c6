// A board that can be played on: the picture comes from the server, this dresses it.
//
// Legal moves are given as cells from first to last; a move is made by clicking its cells, or the
// first and the last of them, or by dragging. Where several moves remain, the player is asked.

import { element, svg } from "./common.js";

const STEP = 260; // milliseconds a piece takes from one cell of its way to the next
const FADE = 300;
const DRAG = 6; // pixels after which a press becomes a drag

const TOLD = { movable: "can move", chosen: "chosen", step: "on the way", target: "a move ends here" };

export class Board {
  /** `onMove(text, ply)` is called with the move that was chosen, and the ply it was chosen at. */
  constructor(holder, onMove) {
    this.holder = holder;
    this.onMove = onMove;
    this.picture = null;
    this.legal = [];
    this.ply = 0;
    this.chosen = [];
    this.kind = null;
    this.turning = Promise.resolve();
    this.waiting = 0; // pictures that are yet to be shown
    this.dragged = null;
    this.onCell = null;
    holder.classList.add("playing-board");
    holder.addEventListener("click", (event) => this.#clicked(event));
    holder.addEventListener("keydown", (event) => this.#keyed(event));
    holder.addEventListener("pointerdown", (event) => this.#pressed(event));
  }

  /** Show a picture; `legal` are the moves that can be made on it after `ply` others, `path` the
   *  cells of the last one. */
  show({ board, kind, legal = [], ply = 0, path = [], animate = false }) {
    this.waiting += 1;
    this.turning = this.turning.then(() => {
      this.waiting -= 1;
      // Who is behind shows the latest at once.
      return this.waiting > 1 ? null : this.#replace(board, kind, { legal, ply }, path, animate && !this.waiting);
    });
    return this.turning;
  }

  /** Put a picture with arrows in place of the present one; what can be played stays. */
  adorn(board) {
    this.turning = this.turning.then(() => this.#replace(board, this.kind, this, [], false));
    return this.turning;
  }

  /** Let the keyboard be on the board, once it is shown; false if there are no cells. */
  async focus() {
    await this.turning;
    const cell = this.picture?.querySelector('.cell[tabindex="0"]');
    cell?.focus({ preventScroll: true });
    return Boolean(cell);
  }

  /** While there is an `onCell(cell, key)`, cells are for it and no move can be made; null ends that.
   *  `key` is null for a click or Enter; for another key it answers whether it knows that key. */
  edit(onCell) {
    this.onCell = onCell;
    this.holder.classList.toggle("editing", Boolean(onCell));
  }

  /** Where a move begins on this board: in a tree, at the node that it leads to. */
  #start(move) {
    return this.kind === "tree" ? move.cells.at(-1) : move.cells[0];
  }

  async #replace(board, kind, { legal, ply }, path, animate) {
    const before = this.picture;
    const focused = before?.contains(document.activeElement)
      ? document.activeElement.dataset.cell : null;
    const fresh = svg(board);
    this.kind = kind;
    this.legal = legal;
    this.ply = ply;
    this.chosen = [];
    this.picture = fresh;
    this.holder.replaceChildren(fresh);
    this.#name(focused);
    this.#mark();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
    if (before && animate && !still) await animated(before, fresh, path, kind);
  }

  // Cells as buttons: one of them is in the tab order, arrow keys go to the others.

  #name(focused) {
    const cells = [...this.picture.querySelectorAll(".cell")];
    for (const cell of cells) {
      cell.setAttribute("role", "button");
      cell.setAttribute("tabindex", "-1");
    }
    const first = cells.find((cell) => cell.dataset.cell === focused)
      ?? cells.find((cell) => this.legal.some((move) => this.#start(move) === cell.dataset.cell))
      ?? cells[0];
    first?.setAttribute("tabindex", "0");
    if (focused) first?.focus();
  }

  #cell(name) {
    return this.picture?.querySelector(`.cell[data-cell="${CSS.escape(name)}"]`) ?? null;
  }

  #keyed(event) {
    const cell = event.target.closest?.(".cell");
    if (!cell) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#take(cell.dataset.cell);
      return;
    }
    if (this.onCell && !event.ctrlKey && !event.metaKey && !event.altKey && this.onCell(cell.dataset.cell, event.key)) {
      event.preventDefault();
      return;
    }
    if (event.key === "Escape") {
      this.#drop();
      return;
    }
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    const next = neighbour(this.picture, cell, way);
    if (next) {
      cell.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    }
  }

  // Choosing a move

  #clicked(event) {
    if (this.dragged) {
      this.dragged = null;
      return;
    }
    const touched = event.target.closest?.("[data-cell]");
    if (touched) this.#take(touched.dataset.cell);
  }

  #candidates() {
    return this.legal.filter((move) => this.chosen.every((cell, place) => move.cells[place] === cell));
  }

  #take(cell) {
    if (this.onCell) {
      this.onCell(cell, null);
      return;
    }
    const place = this.chosen.length;
    if (place && cell === this.chosen[place - 1]) {
      this.#drop();
      return;
    }
    const candidates = this.#candidates();
    if (!place && this.kind === "tree") {
      const leading = candidates.filter((move) => this.#start(move) === cell);
      if (leading.length) this.#settle(leading);
      return;
    }
    const next = candidates.filter((move) => move.cells[place] === cell);
    const ending = place ? candidates.filter((move) => move.cells.at(-1) === cell) : [];
    const found = next.length ? next : ending;
    if (!found.length) {
      const had = place > 0;
      this.#drop();
      if (had && this.legal.some((move) => move.cells[0] === cell)) this.#take(cell);
      return;
    }
    const done = next.length
      ? next.every((move) => move.cells.length === place + 1) || (this.kind === "pits" && !place)
      : true;
    if (done) this.#settle(found);
    else if (next.some((move) => move.cells.length === place + 1)) this.#settle(found);
    else {
      this.chosen.push(cell);
      this.#mark();
    }
  }

  #settle(moves) {
    this.#drop();
    if (moves.length === 1) this.#make(moves[0], this.ply);
    else this.#ask(moves, this.ply);
  }

  /** A move is chosen: no other can be made until the next position is shown. */
  #make(move, ply) {
    this.legal = [];
    this.#mark();
    this.onMove(move.text, ply);
  }

  #ask(moves, ply) {
    const dialog = element("dialog", { class: "choice", "aria-label": "Which move?" });
    dialog.append(
      element("p", {}, "Which move?"),
      element("div", { class: "row" }, ...moves.map((move) => element("button", {
        type: "button", value: move.text, onclick: () => { dialog.close(); this.#make(move, ply); },
      }, move.text))),
      element("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
    );
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  #drop() {
    this.chosen = [];
    this.#mark();
  }

  /** Show where one may click: pieces that can move, then where they can go; and tell it. */
  #mark() {
    for (const cell of this.picture?.querySelectorAll(".cell") ?? []) {
      cell.classList.remove("movable", "chosen", "target", "step");
    }
    this.#dress();
    for (const cell of this.picture?.querySelectorAll(".cell") ?? []) {
      const told = Object.entries(TOLD).filter(([name]) => cell.classList.contains(name)).map(([, words]) => words);
      cell.setAttribute("aria-label", [cell.querySelector("title")?.textContent ?? cell.dataset.cell, ...told].join(", "));
      if (cell.classList.contains("chosen")) cell.setAttribute("aria-pressed", "true");
      else cell.removeAttribute("aria-pressed");
    }
  }

  #dress() {
    const place = this.chosen.length;
    for (const cell of this.chosen) this.#cell(cell)?.classList.add("chosen");
    for (const move of this.#candidates()) {
      if (!move.cells.length) continue;
      if (!place) this.#cell(this.#start(move))?.classList.add("movable");
      else {
        this.#cell(move.cells.at(-1))?.classList.add("target");
        this.#cell(move.cells[place])?.classList.add(move.cells.length === place + 1 ? "target" : "step");
      }
    }
  }

  // Dragging

  #pressed(event) {
    const touched = event.target.closest?.("[data-cell]");
    const name = touched?.dataset.cell;
    const starts = this.legal.some((move) => move.cells[0] === name && move.cells.length > 1);
    if (!starts || event.button !== 0 || this.kind === "pits") return;
    const piece = this.picture.querySelector(`.piece[data-cell="${CSS.escape(name)}"]`);
    if (!piece) return;
    const from = [event.clientX, event.clientY];
    const matrix = this.picture.getScreenCTM();
    const home = piece.getAttribute("transform");
    let moving = false;
    const move = (now) => {
      const [dx, dy] = [now.clientX - from[0], now.clientY - from[1]];
      if (!moving && Math.hypot(dx, dy) < DRAG) return;
      if (!moving) {
        moving = true;
        this.#drop();
        this.#take(name);
        piece.parentNode.append(piece);
        piece.classList.add("dragged");
      }
      now.preventDefault();
      piece.setAttribute("transform", `translate(${dx / matrix.a} ${dy / matrix.d}) ${home}`);
    };
    const end = (now) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (!moving) return;
      this.dragged = piece;
      setTimeout(() => { this.dragged = null; }, 0);
      piece.classList.remove("dragged");
      piece.setAttribute("transform", home);
      piece.classList.add("passing");
      const below = document.elementFromPoint(now.clientX, now.clientY)?.closest("[data-cell]");
      piece.classList.remove("passing");
      const target = below?.dataset.cell;
      if (now.type === "pointerup" && target && target !== name) this.#take(target);
      else this.#drop();
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }
}

const MAX_BUTTONS = 300;

/** Buttons for the moves that no cell stands for, such as a pass; without a board for all of them. */
export function moveButtons({ legal, kind }, onMove) {
  const bySight = (move) => kind !== null && move.cells.length
    && (!/^[a-z ]+$/i.test(move.text) || move.cells.includes(move.text));
  return legal.filter((move) => !bySight(move)).slice(0, MAX_BUTTONS).map((move) => element("button", {
    type: "button", onclick: () => onMove(move.text),
  }, move.text));
}

/** The nearest cell in a direction; straight ahead counts as nearer than aside. */
function neighbour(picture, from, [dx, dy]) {
  const middle = (cell) => {
    const box = cell.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const cell of picture.querySelectorAll(".cell")) {
    if (cell === from) continue;
    const [ox, oy] = middle(cell);
    const ahead = (ox - x) * dx + (oy - y) * dy;
    const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (ahead > 1 && ahead + 2.5 * aside < least) {
      least = ahead + 2.5 * aside;
      best = cell;
    }
  }
  return best;
}

// Animation: what has changed between two pictures

function standing(picture) {
  const found = new Map();
  for (const piece of picture.querySelectorAll(".piece")) found.set(piece.dataset.cell, piece);
  return found;
}

function place(piece) {
  const [, x, y] = /translate\(([-\d.e]+)[ ,]+([-\d.e]+)\)/.exec(piece.getAttribute("transform")) ?? [0, 0, 0];
  return [Number(x), Number(y)];
}

async function animated(before, after, path, kind) {
  const [old, now] = [standing(before), standing(after)];
  const running = [];
  const mover = path.length > 1 && kind !== "pits" && old.has(path[0]) ? now.get(path.at(-1)) : null;
  const centres = cellCentres(after);
  if (mover) {
    const way = path.map((cell) => centres.get(cell)).filter(Boolean);
    const frames = way.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
    mover.parentNode.append(mover);
    running.push(mover.animate(frames, { duration: STEP * (way.length - 1), easing: "ease-in-out" }));
  }
  for (const [cell, piece] of old) {
    const here = now.get(cell);
    if (cell !== path[0] && (!here || here === mover)) {
      const ghost = document.importNode(piece, true);
      ghost.removeAttribute("data-cell");
      ghost.classList.add("ghost");
      after.querySelector(".pieces").prepend(ghost);
      const gone = ghost.animate([{ opacity: 1 }, { opacity: 0 }], { duration: FADE + STEP, fill: "forwards" });
      gone.finished.then(() => ghost.remove(), () => ghost.remove());
      running.push(gone);
    } else if (here && here !== mover && here.dataset.piece !== piece.dataset.piece) {
      const delay = kind === "pits" ? 60 * Math.max(0, path.indexOf(cell)) : 0;
      running.push(here.animate([{ opacity: 0.15 }, { opacity: 1 }], { duration: FADE, delay, fill: "backwards" }));
    }
  }
  for (const [cell, piece] of now) {
    if (!old.has(cell) && piece !== mover) {
      running.push(piece.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE }));
    }
  }
  await Promise.allSettled(running.map((one) => one.finished));
}

function cellCentres(picture) {
  const found = new Map();
  for (const piece of picture.querySelectorAll(".piece")) found.set(piece.dataset.cell, place(piece));
  for (const cell of picture.querySelectorAll(".cell")) {
    if (found.has(cell.dataset.cell)) continue;
    const box = cell.getBBox();
    found.set(cell.dataset.cell, [box.x + box.width / 2, box.y + box.height / 2]);
  }
  return found;
}
