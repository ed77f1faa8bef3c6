// A board to play on: the picture comes from the server, this adds the interaction.
//
// A legal move is a list of cells, from first to last. It is made by clicking its cells, or only the
// first and the last, or by dragging. If several moves match, a dialog asks which one is meant.

import { announce, element, svg } from "./common.js";

const STEP = 260; // milliseconds from one cell of a piece's path to the next
const FADE = 300;
const CELL = 100; // the width of a cell in units of the picture
const MIN_CELL = 24; // pixels; a board that has no room for such cells scrolls
const DRAG = 6; // pixels after which a press becomes a drag

const LABELS = { movable: "can move", chosen: "chosen", marked: "marked", premove: "premove", step: "on the path", target: "a move ends here" };

export class Board {
  /** `onMove(text, ply)` is called with the chosen move and the ply of the position shown. */
  constructor(holder, onMove) {
    this.holder = holder;
    this.onMove = onMove;
    this.picture = null;
    this.legal = [];
    this.ply = 0;
    this.chosen = [];
    this.kind = null;
    this.updates = Promise.resolve();
    this.pending = 0; // pictures that are not shown yet
    this.dragged = null;
    this.onCell = null;
    this.onWaiting = null; // called with cells that are chosen while no move can be made
    this.premoved = []; // the cells of a move that is chosen for later
    this.onPicture = null; // called when the picture has changed
    this.onIdleClick = null; // called after a click that chooses nothing
    holder.classList.add("playing-board");
    holder.addEventListener("click", (event) => this.#onClick(event));
    holder.addEventListener("keydown", (event) => this.#onKey(event));
    holder.addEventListener("pointerdown", (event) => this.#onPress(event));
  }

  /** Show a picture after `ply` moves; `legal` are the moves that can be made, `path` the cells of
   *  the last move. */
  show({ board, kind, legal = [], ply = 0, path = [], animate = false }) {
    this.pending += 1;
    this.updates = this.updates.then(() => {
      this.pending -= 1;
      // If several pictures wait, show only the latest, without animation.
      return this.pending > 1 ? null : this.#replace(board, kind, { legal, ply }, path, animate && !this.pending);
    });
    return this.updates;
  }

  /** Replace the picture by one with arrows; the legal moves stay. */
  showArrows(board) {
    this.updates = this.updates.then(() => this.#replace(board, this.kind, this, [], false));
    return this.updates;
  }

  /** Focus the board once it is shown; return false if it has no cells. */
  async focus() {
    await this.updates;
    const cell = this.picture?.querySelector('.cell[tabindex="0"]');
    cell?.focus({ preventScroll: true });
    return Boolean(cell);
  }

  /** Call `onCell(cell, key)` instead of making moves; null ends that. `key` is null for a click or
   *  Enter; for other keys it returns whether it has handled the key. */
  edit(onCell) {
    this.onCell = onCell;
    this.holder.classList.toggle("editing", Boolean(onCell));
  }

  /** The cell where a move starts; in a tree, the node that it leads to. */
  #start(move) {
    return this.kind === "tree" ? move.cells.at(-1) : move.cells[0];
  }

  async #replace(board, kind, { legal, ply }, path, animate) {
    const before = this.picture;
    const focused = before?.contains(document.activeElement)
      ? document.activeElement.dataset.cell : null;
    const fresh = svg(board);
    if (["squares", "hexagons", "points"].includes(kind)) {
      const { width, height } = fresh.viewBox.baseVal;
      fresh.style.minWidth = `${Math.ceil((width * MIN_CELL) / CELL)}px`;
      fresh.style.minHeight = `${Math.ceil((height * MIN_CELL) / CELL)}px`;
    }
    this.kind = kind;
    this.legal = legal;
    this.ply = ply;
    this.chosen = [];
    this.picture = fresh;
    const { scrollLeft } = this.holder;
    this.holder.replaceChildren(fresh);
    this.holder.scrollLeft = scrollLeft;
    this.#makeButtons(focused);
    this.onPicture?.();
    this.#update();
    const motionless = matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
    if (before && animate && !motionless) await animateChange(before, fresh, path, kind);
  }

  // Cells are buttons: one of them is in the tab order, arrow keys move to the others.

  #makeButtons(focused) {
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

  #onKey(event) {
    const cell = event.target.closest?.(".cell");
    if (!cell) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#selectCell(cell.dataset.cell);
      return;
    }
    if (this.onCell && !event.ctrlKey && !event.metaKey && !event.altKey && this.onCell(cell.dataset.cell, event.key)) {
      event.preventDefault();
      return;
    }
    if (event.key === "Escape") {
      this.#clearSelection();
      return;
    }
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!direction) return;
    event.preventDefault();
    // With a piece chosen, arrows go to where it can move: a diagonal move takes one press.
    const ends = this.chosen.length ? this.picture.querySelectorAll(".cell:is(.target, .step, .chosen)") : null;
    const next = (ends && nearest(ends, cell, direction, 0.4)) ?? nearest(this.picture.querySelectorAll(".cell"), cell, direction, 2.5);
    if (next) {
      cell.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    }
  }

  // Choosing a move

  #onClick(event) {
    if (this.dragged) {
      this.dragged = null;
      return;
    }
    const touched = event.target.closest?.("[data-cell]");
    if (touched) this.#selectCell(touched.dataset.cell);
    else this.onIdleClick?.();
  }

  #candidates() {
    return this.legal.filter((move) => this.chosen.every((cell, place) => move.cells[place] === cell));
  }

  #selectCell(clicked) {
    const cell = this.#foot(clicked);
    if (this.onCell) {
      this.onCell(cell, null);
      return;
    }
    if (!this.legal.length && this.onWaiting) {
      this.onWaiting(cell, false);
      return;
    }
    const place = this.chosen.length;
    if (place && cell === this.chosen[place - 1]) {
      this.#clearSelection();
      return;
    }
    const candidates = this.#candidates();
    if (!place && this.kind === "tree") {
      const leading = candidates.filter((move) => this.#start(move) === cell);
      if (leading.length) this.makeOneOf(leading);
      return;
    }
    const column = place ? [] : candidates.filter((move) => isInColumn(move, cell));
    const exact = candidates.filter((move) => move.cells[place] === cell);
    const next = exact.length ? exact : column;
    const ending = place ? candidates.filter((move) => move.cells.at(-1) === cell) : [];
    const matching = next.length ? next : ending;
    const later = place || matching.length ? [] : candidates.filter((move) => this.#laterStarts(move).includes(cell));
    if (later.length) {
      this.#showDialog(later, this.ply);
      return;
    }
    if (!matching.length) {
      const hadSelection = place > 0;
      this.#clearSelection();
      if (!hadSelection) this.onIdleClick?.();
      if (hadSelection && this.legal.some((move) => move.cells[0] === cell)) this.#selectCell(cell);
      return;
    }
    const done = next.length
      ? next.every((move) => move.cells.length === place + 1) || (this.kind === "pits" && !place)
      : true;
    if (done) this.makeOneOf(matching);
    else if (next.some((move) => move.cells.length === place + 1)) this.makeOneOf(matching);
    else {
      this.chosen.push(cell);
      this.#update();
      this.#announceChoice();
    }
  }

  /** The cell that a click on one of several stacked cells means: the first, as `8` for `8.3`. */
  #foot(cell) {
    const foot = cell.replace(/\.\d+$/, "");
    const uses = (name) => this.#candidates().some((move) => move.cells.includes(name));
    return this.onCell || uses(cell) || !uses(foot) ? cell : foot;
  }

  /** Cells from which a move of several pieces moves another piece than the first. */
  #laterStarts(move) {
    if (this.kind !== "squares" || move.cells.length % 2) return [];
    return move.cells.filter((cell, place) => place > 0 && place % 2 === 0 && this.pieceOn(cell));
  }

  /** Say where the chosen piece can go. */
  #announceChoice() {
    const cells = [...this.picture.querySelectorAll(".cell:is(.target, .step)")].map((one) => one.dataset.cell);
    const label = this.#cell(this.chosen.at(-1))?.querySelector("title")?.textContent ?? this.chosen.at(-1);
    announce(`${label} chosen. It can move to ${cells.join(", ")}.`);
  }

  /** Choose a cell as a click on it does, unless one is chosen already. */
  choose(cell) {
    if (!this.chosen.length) this.#selectCell(cell);
  }

  /** Whether a click on a cell means a move of one cell. */
  startsAt(move, cell) {
    return this.#start(move) === cell || isInColumn(move, cell);
  }

  /** The piece on a cell; null if there is none. */
  pieceOn(cell) {
    return this.picture?.querySelector(`.piece[data-cell="${CSS.escape(cell)}"]`) ?? null;
  }

  /** Make a move; if there are several, ask which one is meant. */
  makeOneOf(moves) {
    this.#clearSelection();
    if (moves.length === 1) this.#make(moves[0], this.ply);
    else this.#showDialog(moves, this.ply);
  }

  /** Make a move; no other can be made until the next position is shown. */
  #make(move, ply) {
    this.legal = [];
    this.#update();
    this.onMove(move.text, ply);
  }

  #showDialog(moves, ply) {
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

  #clearSelection() {
    this.chosen = [];
    this.#update();
  }

  /** Label the cells again. */
  refresh() {
    this.#update();
  }

  /** Mark the cells that can be clicked, and label them for screen readers. */
  #update() {
    for (const cell of this.picture?.querySelectorAll(".cell") ?? []) {
      cell.classList.remove("movable", "chosen", "target", "step", "premove");
    }
    this.#markCells();
    for (const cell of this.picture?.querySelectorAll(".cell") ?? []) {
      const labels = Object.entries(LABELS).filter(([name]) => cell.classList.contains(name)).map(([, label]) => label);
      cell.setAttribute("aria-label", [cell.querySelector("title")?.textContent ?? cell.dataset.cell, ...labels].join(", "));
      if (cell.classList.contains("chosen")) cell.setAttribute("aria-pressed", "true");
      else cell.removeAttribute("aria-pressed");
    }
  }

  #markCells() {
    const place = this.chosen.length;
    for (const cell of this.chosen) this.#cell(cell)?.classList.add("chosen");
    for (const cell of this.premoved) this.#cell(cell)?.classList.add("premove");
    for (const move of this.#candidates()) {
      if (!move.cells.length) continue;
      if (!place) for (const cell of [this.#start(move), ...this.#laterStarts(move)]) this.#cell(cell)?.classList.add("movable");
      else {
        this.#cell(move.cells.at(-1))?.classList.add("target");
        this.#cell(move.cells[place])?.classList.add(move.cells.length === place + 1 ? "target" : "step");
      }
    }
  }

  // Dragging

  #onPress(event) {
    const touched = event.target.closest?.("[data-cell]");
    const name = touched?.dataset.cell;
    const waiting = !this.legal.length && this.onWaiting;
    const starts = waiting || this.legal.some((move) => move.cells[0] === name && move.cells.length > 1);
    if (!name || !starts || event.button !== 0 || this.kind === "pits") return;
    const piece = this.pieceOn(name);
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
        this.#clearSelection();
        if (waiting) this.onWaiting?.(name, true);
        else this.#selectCell(name);
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
      if (now.type === "pointerup" && target && target !== name) this.#selectCell(target);
      else {
        this.#clearSelection();
        if (waiting) this.onWaiting?.(null, true);
      }
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }
}

/** Whether a move drops a piece into the column of a cell. Where pieces fall, as in connect four, a
 *  move is named after its column and the cells are the column's name and a row. */
function isInColumn(move, cell) {
  return move.cells.length === 1 && cell.startsWith(`${move.text}.`);
}

const MAX_BUTTONS = 300;

/** Make buttons for moves without a cell, such as a pass; in games without a board, for all moves. */
export function moveButtons({ legal, kind }, onMove) {
  const onBoard = (move) => kind !== null && move.cells.length
    && (!/^[a-z ]+$/i.test(move.text) || move.cells.includes(move.text));
  return legal.filter((move) => !onBoard(move)).slice(0, MAX_BUTTONS).map((move) => element("button", {
    type: "button", onclick: () => onMove(move.text),
  }, move.text));
}

/** Find the nearest of some cells in a direction; `sideways` is the weight of an offset to the side. */
function nearest(cells, from, [dx, dy], sideways) {
  const centre = (cell) => {
    const box = cell.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = centre(from);
  let best = null;
  let minimum = Infinity;
  for (const cell of cells) {
    if (cell === from) continue;
    const [ox, oy] = centre(cell);
    const ahead = (ox - x) * dx + (oy - y) * dy;
    const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (ahead > 1 && ahead + sideways * aside < minimum) {
      minimum = ahead + sideways * aside;
      best = cell;
    }
  }
  return best;
}

// Animation of the changes between two pictures

function piecesByCell(picture) {
  const pieces = new Map();
  for (const piece of picture.querySelectorAll(".piece")) pieces.set(piece.dataset.cell, piece);
  return pieces;
}

function position(piece) {
  const [, x, y] = /translate\(([-\d.e]+)[ ,]+([-\d.e]+)\)/.exec(piece.getAttribute("transform")) ?? [0, 0, 0];
  return [Number(x), Number(y)];
}

async function animateChange(before, after, path, kind) {
  const [old, now] = [piecesByCell(before), piecesByCell(after)];
  const running = [];
  const mover = path.length > 1 && kind !== "pits" && old.has(path[0]) ? now.get(path.at(-1)) : null;
  const centres = cellCentres(after);
  if (mover) {
    const points = path.map((cell) => centres.get(cell)).filter(Boolean);
    const frames = points.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
    mover.parentNode.append(mover);
    running.push(mover.animate(frames, { duration: STEP * (points.length - 1), easing: "ease-in-out" }));
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
  const centres = new Map();
  for (const piece of picture.querySelectorAll(".piece")) centres.set(piece.dataset.cell, position(piece));
  for (const cell of picture.querySelectorAll(".cell")) {
    if (centres.has(cell.dataset.cell)) continue;
    const box = cell.getBBox();
    centres.set(cell.dataset.cell, [box.x + box.width / 2, box.y + box.height / 2]);
  }
  return centres;
}
