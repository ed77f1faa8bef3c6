// Arrows and marked cells that the user draws: with the right mouse button, or with keys.

import { announce } from "./common.js";

const SVG = "http://www.w3.org/2000/svg";
const MIN_DRAG = 8; // pixels after which a press is an arrow, as long as it has not left its cell
const COLOURS = ["G", "R", "B"]; // green, red with Shift, blue with Alt: the letters of PGN
const WORDS = { G: "", R: "red ", B: "blue " };

/** A mark is {from, to, colour}; `to` is null for a marked cell. */
export class Marks {
  /** `onChange(list)` is called when the user draws or clears. */
  constructor(board, onChange = () => {}) {
    this.board = board;
    this.onChange = onChange;
    this.list = [];
    this.begun = null; // the cell where an arrow by keyboard begins
    board.onPicture = () => this.#draw();
    board.onIdleClick = () => this.clear();
    board.holder.addEventListener("contextmenu", (event) => {
      if (!board.onCell) event.preventDefault();
    });
    board.holder.addEventListener("pointerdown", (event) => this.#onPress(event));
    board.holder.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** Show the marks of another position. */
  show(list) {
    this.list = [...list];
    this.begun = null;
    this.#redraw();
  }

  clear() {
    if (!this.list.length) return;
    this.#change([]);
    announce("Arrows and marks are cleared.");
  }

  #change(list) {
    this.list = list;
    this.#redraw();
    this.onChange([...list]);
  }

  /** Add a mark; one that is there already is removed, or gets another colour. */
  #toggle(from, to, colour) {
    const same = this.list.find((one) => one.from === from && one.to === to);
    const others = this.list.filter((one) => one !== same);
    const added = same?.colour !== colour;
    this.#change(added ? [...others, { from, to, colour }] : others);
    const what = to ? `${WORDS[colour]}arrow from ${from} to ${to}` : `${WORDS[colour]}mark on ${from}`;
    announce(`${added ? "Drawn" : "Removed"}: ${what}.`);
  }

  #onPress(event) {
    const from = event.target.closest?.("[data-cell]")?.dataset.cell;
    if (event.button !== 2 || !from || this.board.onCell || event.defaultPrevented) return;
    const start = [event.clientX, event.clientY];
    const colour = colourOf(event);
    const below = (now) => document.elementFromPoint(now.clientX, now.clientY)?.closest("[data-cell]")?.dataset.cell;
    const move = (now) => {
      const to = below(now);
      const far = Math.hypot(now.clientX - start[0], now.clientY - start[1]) >= MIN_DRAG;
      this.#draw(far && to && to !== from ? { from, to, colour } : null);
    };
    const end = (now) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      const to = now.type === "pointerup" && this.board.holder.contains(document.elementFromPoint(now.clientX, now.clientY)) ? below(now) : null;
      if (to) this.#toggle(from, to === from ? null : to, colour);
      else this.#draw();
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  #onKey(event) {
    const cell = event.target.closest?.(".cell")?.dataset.cell;
    if (!cell || this.board.onCell || event.ctrlKey || event.metaKey) return;
    const key = event.code === "KeyM" || event.code === "KeyA" ? event.code.at(-1) : event.key.toUpperCase();
    if (key === "M") this.#toggle(cell, null, colourOf(event));
    else if (key === "A") this.#onArrowKey(cell, colourOf(event));
    else if (key === "DELETE" || key === "BACKSPACE") this.clear();
    else {
      if (key === "ESCAPE") this.begun = null;
      return;
    }
    event.preventDefault();
  }

  /** The first press begins an arrow, the second ends it. */
  #onArrowKey(cell, colour) {
    const from = this.begun;
    this.begun = from === null ? cell : null;
    if (from === null) announce(`An arrow begins on ${cell}. Press A on the cell where it ends, or Escape.`);
    else if (from !== cell) this.#toggle(from, cell, colour);
  }

  #redraw() {
    this.#draw();
    this.board.refresh();
  }

  /** Draw the marks into the picture, and an arrow that is being drawn. */
  #draw(extra = null) {
    const { picture } = this.board;
    if (!picture) return;
    picture.querySelector(".own-marks")?.remove();
    for (const cell of picture.querySelectorAll(".cell")) {
      cell.classList.toggle("marked", this.list.some((one) => one.from === cell.dataset.cell && !one.to));
    }
    const list = extra ? [...this.list, extra] : this.list;
    if (this.board.onCell || !list.length) return;
    const group = document.createElementNS(SVG, "g");
    group.setAttribute("class", "own-marks");
    group.append(...list.map((one) => shape(picture, one)).filter(Boolean));
    picture.append(group);
  }
}

function colourOf(event) {
  if (event.shiftKey) return "R";
  return event.altKey ? "B" : "G";
}

/** The centre of a cell and its size, in units of the picture. */
function centre(picture, name) {
  const cell = picture.querySelector(`.cell[data-cell="${CSS.escape(name)}"]`);
  const matrix = picture.getScreenCTM();
  if (!cell || !matrix) return null;
  const box = (cell.querySelector("rect, polygon, circle, line, path") ?? cell).getBoundingClientRect();
  const { x, y } = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(matrix.inverse());
  return { x, y, size: Math.max(box.width, box.height) / matrix.a };
}

/** An arrow, or a ring around a cell. */
function shape(picture, { from, to, colour }) {
  const start = centre(picture, from);
  const end = to ? centre(picture, to) : null;
  if (!start || (to && !end)) return null;
  const unit = Math.min(start.size, end?.size ?? Infinity, 100) / 100;
  const node = document.createElementNS(SVG, end ? "path" : "circle");
  node.setAttribute("class", `own-${colour}`);
  node.dataset.mark = to ? `${from}-${to}` : from;
  node.setAttribute("stroke-width", 9 * unit);
  if (!end) {
    for (const [name, value] of Object.entries({ cx: start.x, cy: start.y, r: 43 * unit })) node.setAttribute(name, value);
    return node;
  }
  // A line that ends in a head of two strokes, a little before the middle of the last cell.
  const angle = Math.atan2(end.y - start.y, end.x - start.x);
  const at = (point, distance, turn = 0) => `${point.x + distance * Math.cos(angle + turn)} ${point.y + distance * Math.sin(angle + turn)}`;
  const tip = { x: end.x - 8 * unit * Math.cos(angle), y: end.y - 8 * unit * Math.sin(angle) };
  node.setAttribute("d", `M ${at(start, 18 * unit)} L ${at(tip, 0)} M ${at(tip, -30 * unit, 0.5)} L ${at(tip, 0)} L ${at(tip, -30 * unit, -0.5)}`);
  return node;
}

// Marks are kept in comments as PGN has them: [%csl Ge4,Rd5] and [%cal Ge2e4]; the ends of an arrow
// between cells with other names than e4 are separated, as in [%cal G11-15].

const COMMAND = /\[%(csl|cal) ([^\]]*)\]\s*/g;
const PLAIN = /^[^\s\],-]+$/; // names of cells that can be written

/** Return a comment without its marks, and the marks. */
export function readMarks(comment) {
  const marks = [];
  const text = comment.replace(COMMAND, (all, kind, items) => {
    for (const item of items.split(",").map((one) => one.trim())) {
      const [colour, cells] = [item[0] === "Y" ? "G" : item[0], item.slice(1)];
      const ends = kind === "csl" ? [cells] : cells.includes("-") ? cells.split("-") : [cells.slice(0, 2), cells.slice(2)];
      if (COLOURS.includes(colour) && ends.length === (kind === "csl" ? 1 : 2) && ends.every((one) => PLAIN.test(one))) {
        marks.push({ from: ends[0], to: ends[1] ?? null, colour });
      }
    }
    return "";
  });
  return { text: text.trim(), marks };
}

/** Return a comment with marks in front of it. */
export function withMarks(comment, marks) {
  const known = marks.filter((one) => PLAIN.test(one.from) && (!one.to || PLAIN.test(one.to)));
  const short = (name) => /^[a-z][0-9]$/.test(name);
  const cells = known.filter((one) => !one.to).map((one) => one.colour + one.from);
  const arrows = known.filter((one) => one.to).map((one) => one.colour + one.from + (short(one.from) && short(one.to) ? "" : "-") + one.to);
  return [cells.length ? `[%csl ${cells}]` : "", arrows.length ? `[%cal ${arrows}]` : "", comment.trim()].filter(Boolean).join(" ");
}
