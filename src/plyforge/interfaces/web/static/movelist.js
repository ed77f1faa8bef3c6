// The list of moves: numbered pairs, and variations below the move that they replace.

import { element } from "./common.js";

/** Show a tree of moves; `onGo(node)` is called when a move is chosen. */
export function showMoveList(holder, tree, current, onGo) {
  const first = tree.root.children[0];
  holder.replaceChildren(...(first ? rows(first, current, onGo) : []));
  const latest = holder.querySelector('[aria-current="true"]');
  if (latest && !holder.matches(":hover")) {
    const [outer, inner] = [holder.getBoundingClientRect(), latest.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) holder.scrollTop += inner.top - outer.top - outer.height / 3;
  } else if (!latest) holder.scrollTop = 0;
}

/** The rows of the main line; a variation interrupts a pair. */
function rows(first, current, onGo) {
  const made = [];
  let row = null;
  for (const node of first.continuation) {
    const side = node.side ?? 0;
    if (!row || row.number !== node.number || (side === 0 && row.cells[1].length)) {
      row = { number: node.number, cells: [[], []] };
      made.push(row);
    }
    row.cells[side].push(moveButton(node, current, onGo));
    const others = node.parent.children[0] === node ? node.parent.children.slice(1) : [];
    if (others.length) {
      made.push({ lines: others.map((other) => element("div", { class: "side-line" }, ...inline(other, current, onGo))) });
      row = null;
    }
  }
  return made.flatMap((one) => one.lines ?? [element("div", { class: "pair" },
    element("span", { class: "number" }, `${one.number}.`),
    ...one.cells.map((cell, side) => element("span", { class: side ? "second" : "first" },
      ...(cell.length ? cell : [!side ? "…" : ""]))))]);
}

/** A variation as text with numbers; its own variations are in brackets. */
function inline(first, current, onGo) {
  const parts = [];
  let numbered = false;
  for (const [place, node] of first.continuation.entries()) {
    const starts = node.side === 0 && (place === 0 || node.parent.side !== 0);
    if (starts || !numbered) parts.push(element("span", { class: "number" }, `${node.number}${node.side === 1 ? "…" : "."}`));
    numbered = true;
    parts.push(moveButton(node, current, onGo));
    if (place === 0) continue;
    for (const other of node.parent.children.slice(1)) {
      parts.push(element("span", { class: "nested" }, "(", ...inline(other, current, onGo), ")"));
      numbered = false;
    }
  }
  return parts;
}

function moveButton(node, current, onGo) {
  const mark = node.judgement?.mark || node.mark;
  const comment = [node.comment, node.judgement?.comment].filter(Boolean).join("; ");
  return element("button", {
    type: "button", class: comment ? "move noted" : "move", title: comment || null, "aria-label": `${node.numbered}${mark}`,
    "aria-current": node === current ? "true" : null, onclick: () => onGo(node),
  }, node.text, mark ? element("span", { class: mark.startsWith("!") ? "mark good" : "mark" }, mark) : null);
}
