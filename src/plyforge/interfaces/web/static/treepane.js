// One tree in its pane: zoom, steps in the order of visits, the node that is looked at.

import { element, svg } from "./common.js";

const MIN_ZOOM = 0.1;
const MAX_ZOOM = 4;
const ZOOM_STEP = 1.25;
/** How small a tree may be made at first so that it fits, by how much its nodes tell. */
const MIN_FIT = { full: 0.35, value: 0.35, dot: 0.3 };

export class Pane {
  /** `told(pane)` hears when steps or the node change; `asked(pane, what, node)` when a node is
   *  clicked ("details") or is to be collapsed or expanded ("toggle"). */
  constructor(message, told, asked) {
    this.place = message.place;
    this.title = message.title;
    this.told = told;
    this.asked = asked;
    this.zoom = 1;
    this.zoomed = false;
    this.view = element("div", {
      class: "view", tabindex: "0", role: "application", "aria-label": `Tree of ${message.title}; arrow keys step`,
    });
    this.visits = message.counts.visits;
    this.remark = element("p", { class: "note small" });
    this.note(message.note);
    this.drawn = element("span", { class: "muted small" });
    this.root = element("section", { class: "pane panel", "aria-label": message.title },
      element("header", { class: "row" },
        element("h2", {}, message.title),
        element("span", { class: "muted small" }, message.idea),
        this.drawn,
        element("span", { class: "zoom row" },
          this.#button("−", "Smaller", () => this.zoomBy(1 / ZOOM_STEP)),
          this.#button("+", "Larger", () => this.zoomBy(ZOOM_STEP)),
          this.#button("Fit", "Fit the width", () => this.fit(MIN_ZOOM)))),
      this.remark, this.view);
    this.view.addEventListener("click", (event) => this.#clicked(event, "details"));
    this.view.addEventListener("dblclick", (event) => this.#clicked(event, "toggle"));
    this.view.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoomBy(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP);
    }, { passive: false });
    this.show(message.svg);
    this.step = this.events.length;
    // Scroll bars, other panes and the window's size change the room.
    new ResizeObserver(() => {
      if (!this.zoomed && this.view.clientWidth !== this.width) this.fit(this.least);
    }).observe(this.view);
  }

  /** Add to what there is to say of the tree as a whole. */
  note(text) {
    this.remark.textContent = `${this.remark.textContent} ${text}`.trim();
    this.remark.hidden = !this.remark.textContent;
  }

  #button(text, label, action) {
    return element("button", { type: "button", title: label, "aria-label": `${label}: ${this.title}`, onclick: action }, text);
  }

  #clicked(event, what) {
    const node = event.target.closest(".visit");
    if (!node) return;
    event.preventDefault();
    this.choose(node);
    this.asked(this, what, node);
  }

  /** Show a drawing in place of the one before; steps stay where they were. */
  show(text) {
    const before = this.events && this.step < this.events.length ? this.#time() : Infinity;
    const chosen = this.now?.dataset.visit;
    this.picture = svg(text);
    const box = this.picture.viewBox.baseVal;
    this.size = [box.width, box.height];
    this.view.replaceChildren(this.picture);
    this.nodes = new Map();
    for (const node of this.picture.querySelectorAll(".visit")) this.nodes.set(node.dataset.visit, node);
    const hidden = this.visits - this.nodes.size;
    this.drawn.textContent = hidden ? `· ${hidden.toLocaleString("en")} of ${this.visits.toLocaleString("en")} visits collapsed` : "";
    const parents = new Set([...this.nodes.values()].map((node) => node.dataset.parent));
    this.events = [];
    for (const node of this.nodes.values()) {
      const leaves = { at: Number(node.dataset.ended), node, ends: true };
      if (parents.has(node.dataset.visit)) this.events.push({ at: Number(node.dataset.began), node, ends: false });
      this.events.push(leaves);
    }
    this.events.sort((one, other) => one.at - other.at);
    this.step = this.events.length;
    this.now = null;
    if (before !== Infinity) this.goTo(this.events.filter((event) => event.at <= before).length, false);
    if (this.nodes.has(chosen)) this.choose(this.nodes.get(chosen), false);
    this.#sized();
  }

  #time() {
    return this.step > 0 ? this.events[this.step - 1].at : -1;
  }

  /** Begin at the tree's natural size, or smaller so that it fits. */
  fit(least = MIN_FIT[this.picture.classList[1]]) {
    this.zoomed = false;
    this.least = least;
    this.width = this.view.clientWidth;
    const room = this.width - 4;
    this.zoom = Math.min(1, Math.max(least, room / this.size[0]));
    this.#sized();
    const first = this.nodes.get("0");
    if (first && this.size[0] * this.zoom > room) this.#reveal(first);
  }

  zoomBy(factor) {
    const { view } = this;
    this.zoomed = true;
    const share = (view.scrollLeft + view.clientWidth / 2) / (this.size[0] * this.zoom);
    this.zoom = factor === 0 ? 1 : Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, this.zoom * factor));
    this.#sized();
    view.scrollLeft = share * this.size[0] * this.zoom - view.clientWidth / 2;
  }

  #sized() {
    this.picture.setAttribute("width", this.size[0] * this.zoom);
    this.picture.setAttribute("height", this.size[1] * this.zoom);
  }

  /** Show the tree as it stood after so many steps. */
  goTo(step, tell = true) {
    const to = Math.max(0, Math.min(this.events.length, step));
    const whole = to === this.events.length;
    if (!whole && this.step === this.events.length) {
      for (const node of this.nodes.values()) node.classList.add("ahead");
      this.step = 0;
    }
    for (; this.step < to; this.step++) this.#apply(this.events[this.step], true);
    for (; this.step > to; this.step--) this.#apply(this.events[this.step - 1], false);
    this.picture.classList.toggle("stepping", !whole);
    if (whole) for (const node of this.nodes.values()) node.classList.remove("ahead", "running");
    if (to > 0) this.choose(this.events[to - 1].node, tell);
    else {
      this.now?.classList.remove("now");
      this.now = null;
      if (tell) this.told(this);
    }
  }

  #apply({ node, ends }, forward) {
    const inner = node.classList.contains("inner") && !node.classList.contains("collapsed");
    if (ends) {
      node.classList.toggle("ahead", !forward && !inner);
      node.classList.toggle("running", !forward && inner);
    } else {
      node.classList.toggle("ahead", !forward);
      node.classList.toggle("running", forward);
    }
  }

  /** Look at a node. */
  choose(node, tell = true) {
    this.now?.classList.remove("now");
    this.now = node;
    node.classList.add("now");
    this.#reveal(node);
    if (tell) this.told(this);
  }

  /** The parent, the first child, or a sibling of the node that is looked at. */
  go(where) {
    const from = this.now ?? this.nodes.get("0");
    if (!from) return;
    const of = (parent) => [...this.nodes.values()].filter((node) => node.dataset.parent === parent);
    let next = null;
    if (where === "up") next = this.nodes.get(from.dataset.parent);
    else if (where === "down") next = of(from.dataset.visit)[0];
    else {
      const row = from.dataset.parent === undefined
        ? [...this.nodes.values()].filter((node) => node.dataset.parent === undefined)
        : of(from.dataset.parent);
      next = row[row.indexOf(from) + (where === "left" ? -1 : 1)];
    }
    if (next) this.choose(next);
  }

  #reveal(node) {
    const box = node.querySelector(".node, .folded").getBoundingClientRect();
    const frame = this.view.getBoundingClientRect();
    const margin = 24;
    if (box.left < frame.left + margin || box.right > frame.right - margin) {
      this.view.scrollLeft += (box.left + box.right) / 2 - (frame.left + frame.right) / 2;
    }
    if (box.top < frame.top + margin || box.bottom > frame.bottom - margin) {
      this.view.scrollTop += (box.top + box.bottom) / 2 - (frame.top + frame.bottom) / 2;
    }
  }

  /** What is known of the node that is looked at: why it was left, or how it was entered. */
  sentence() {
    if (!this.now) return "";
    if (this.now.classList.contains("ahead") || this.now.classList.contains("running")) return this.now.dataset.entered;
    return this.now.querySelector("title").textContent;
  }

  /** The collapsed visits after a node is collapsed or expanded. */
  toggled(node) {
    const shut = new Set([...this.picture.querySelectorAll(".visit.collapsed")].map((one) => Number(one.dataset.visit)));
    const number = Number(node.dataset.visit);
    if (!shut.delete(number)) shut.add(number);
    return [...shut];
  }
}
