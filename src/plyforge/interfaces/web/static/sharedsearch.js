// A search that a master shares out to workers: its tree, and who works where.

import { announce, element } from "./common.js";

const get = (id) => document.getElementById(id);
const MARKS = { lower: " or more", upper: " or less", open: " (some moves open)", none: "" };

export class SharedSearch {
  /** `where()` returns the fields of the position, `how()` the search options, `onFollow(texts)` makes
   *  moves. */
  constructor(jobs, where, how, onFollow) {
    this.onFollow = onFollow;
    jobs.addButton("share", () => {
      const workers = Number(get("worker-count").value) || 1;
      jobs.start("share", { ...where(), how: how(), workers, seconds: Number(get("seconds").value) || 10 });
      get("shared-summary").textContent = "Starting …";
      get("shared-tree").replaceChildren();
      get("shared-workers").hidden = true;
    });
  }

  show(message) {
    const { score, bound, depth, nodes, seconds, line, proved, workers } = message;
    const text = `${score}${MARKS[bound] ?? ""}${proved ? ", proved" : ""}`;
    get("shared-summary").textContent = `${line.join(" ")}: ${text} at depth ${depth}; ${nodes.toLocaleString("en")} nodes, ${seconds.toFixed(1)} s`;
    get("shared-tree").replaceChildren(this.#node(message.tree, []));
    get("shared-workers").hidden = false;
    get("shared-workers").tBodies[0].replaceChildren(...workers.map((one) => element("tr", {},
      element("td", {}, String(one.number)),
      element("td", {}, one.path === null ? "–" : one.path.join(" ") || "the root"),
      element("td", {}, one.depth === null ? "–" : String(one.depth)),
      element("td", {}, one.nodes.toLocaleString("en")),
      element("td", {}, String(one.moved)),
      element("td", {}, one.lost ? `lost: ${one.lost}` : one.place),
    )));
    if (message.last) announce(`Best: ${line[0]}, ${text} at depth ${depth}.`);
  }

  /** A node as an item of a list, with its children below. */
  #node(node, path) {
    const moves = node.move ? [...path, node.move] : path;
    const name = node.move
      ? element("button", { type: "button", onclick: () => this.onFollow(moves) }, node.move)
      : element("strong", {}, "This position");
    const value = node.score === null ? "not searched yet" : `${node.score}${MARKS[node.bound] ?? ""} for ${node.player}, depth ${node.depth}`;
    return element("li", {}, name, ` ${value} `,
      ...node.workers.map((number) => element("span", { class: "worker" }, `worker ${number}`)),
      node.children.length ? element("ul", {}, ...node.children.map((child) => this.#node(child, moves))) : null);
  }
}
