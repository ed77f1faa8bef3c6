// The page that solves matrix games.

import { connect, element, fetchJson, svg } from "./common.js";

const byId = (name) => document.getElementById(name);
const DIGITS = 4;
const COLOURS = 8; // of the lines in drawing.css
const SVG = "http://www.w3.org/2000/svg";

const { send } = connect((message) => {
  if (message.type === "matrix") show(message);
});

async function begin() {
  const { examples } = await fetchJson("/api/matrix");
  const choice = byId("example");
  choice.append(element("option", { value: "" }, "custom"));
  examples.forEach((one, number) => choice.append(element("option", { value: String(number) }, one.title)));
  choice.addEventListener("change", () => {
    if (choice.value !== "") open(examples[Number(choice.value)].text);
  });
  byId("text").addEventListener("input", () => { choice.value = ""; });
  const linked = new URLSearchParams(location.hash.slice(1)).get("text");
  if (linked !== null) return open(linked);
  choice.value = "0";
  return open(examples[0].text);
}

function open(text) {
  byId("text").value = text;
  solve();
}

function solve() {
  const text = byId("text").value;
  send({ type: "matrix", text });
  history.replaceState(null, "", `#${new URLSearchParams({ text })}`);
}

byId("request").addEventListener("submit", (event) => {
  event.preventDefault();
  solve();
});

function show(message) {
  const rows = message.equilibria.map((one, number) => element("tr", {},
    element("td", {}, String(number + 1)), element("td", {}, one.row), element("td", {}, one.column),
    element("td", {}, one.payoffs), element("td", {}, String(one.component))));
  byId("result").replaceChildren(
    element("h2", {}, message.title || "Solution"),
    element("p", { class: "muted" }, message.kind),
    ...(message.value ? [element("p", { id: "value" }, `Value ${message.value} for the row player`)] : []),
    ...(message.dominated.length ? [element("h3", {}, "Dominated, in the order of elimination"),
      element("ul", {}, ...message.dominated.map((text) => element("li", {}, text)))] : []),
    element("h3", {}, message.equilibria.length === 1 ? "Equilibrium" : "Equilibria"),
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Equilibria" },
      element("table", { id: "equilibria" }, element("thead", {}, element("tr", {},
        ...["", "Row", "Column", "Payoffs", "Set"].map((name) => (name ? element("th", { scope: "col" }, name) : element("td", {}))))),
      element("tbody", {}, ...rows))),
    ...(message.note ? [element("p", { class: "small" }, message.note)] : []));
  showChart(message.chart);
}

function showChart(chart) {
  const place = byId("chart");
  place.hidden = !chart;
  if (!chart) return place.replaceChildren();
  const picture = svg(chart.svg);
  const slider = element("input", { id: "share", type: "range", min: "0", max: "1", step: "any", value: String(chart.optimum) });
  const text = element("output", { for: "share" });
  const table = element("tbody", {});
  const line = document.createElementNS(SVG, "line");
  line.setAttribute("class", "share");
  picture.append(line);
  const [first, second] = chart.strategies;
  function move() {
    const share = Number(slider.value);
    const values = chart.at_zero.map((zero, number) => zero + share * (chart.at_one[number] - zero));
    const best = chart.player === "row" ? Math.min(...values) : Math.max(...values);
    const axis = picture.querySelector(".axes line");
    const [left, right] = ["x1", "x2"].map((name) => Number(axis.getAttribute(name)));
    const x = left + share * (right - left);
    const [, , , height] = picture.getAttribute("viewBox").split(" ").map(Number);
    for (const [name, value] of Object.entries({ x1: x, x2: x, y1: 34, y2: height - 42 })) line.setAttribute(name, value);
    text.textContent = `${first} ${share.toFixed(DIGITS)}, ${second} ${(1 - share).toFixed(DIGITS)}: worth ${best.toFixed(DIGITS)} to the row player`;
    table.replaceChildren(...chart.replies.map((name, number) => element("tr", { class: `c${number % COLOURS}${Math.abs(values[number] - best) < 1e-9 ? " best" : ""}` },
      element("td", {}, element("span", { class: "key", "aria-hidden": "true" }), name), element("td", {}, values[number].toFixed(DIGITS)))));
  }
  slider.addEventListener("input", move);
  place.replaceChildren(
    element("h2", {}, `The value as a function of the ${chart.player} player's mix`), picture,
    element("label", {}, `Share of ${first}`, slider), element("p", {}, text),
    element("table", { class: "replies" }, element("thead", {}, element("tr", {},
      element("th", { scope: "col" }, "Reply"), element("th", { scope: "col" }, "Payoff of the row player"))), table),
    element("p", { class: "muted small" }, "Each line is a reply of the other player. The thick line is what the mix is worth if the reply is the best one; the dotted line is the value of the game."));
  move();
}

begin();
