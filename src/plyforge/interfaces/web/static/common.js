// What every page needs: the connection, notices, elements, pictures.

const news = document.getElementById("news");
let hideTimer = 0;

/** Show a notice for some seconds; screen readers read it out. */
export function say(text, bad = false) {
  news.textContent = text;
  news.classList.toggle("bad", bad);
  clearTimeout(hideTimer);
  if (text) hideTimer = setTimeout(() => { news.textContent = ""; }, bad ? 12000 : 5000);
}

/** Tell screen readers what other users can see. */
export function announce(text) {
  document.getElementById("announcement").textContent = text;
}

/** Make an element with attributes, listeners (onclick) and children. */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Make a dot in a side's colour. */
export function sideDot(colour) {
  return element("span", { class: "side", "data-colour": colour, "aria-hidden": "true" });
}

/** Make a picture from its text; scripts in it do not run. */
export function svg(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return document.importNode(parsed, true);
}

/** Name a file of games after its format. */
export function recordName(name, text) {
  if (!text.startsWith("[Event ")) return `${name}.txt`;
  return `${name}.${text.includes("[GameType ") ? "pdn" : "pgn"}`;
}

/** Let the browser save a text as a file. */
export function download(name, text) {
  downloadBlob(name, new Blob([text], { type: "text/plain" }));
}

const PNG_SCALE = 2; // for print and for dense screens
const MAX_PNG_SIDE = 12000; // pixels; browsers refuse larger pictures

/** Let the browser save an SVG picture as PNG. */
export async function downloadPng(name, text) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const scale = Math.min(PNG_SCALE, MAX_PNG_SIDE / Math.max(image.width, image.height));
  const canvas = element("canvas", { width: Math.ceil(image.width * scale), height: Math.ceil(image.height * scale) });
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  if (!blob) throw new Error("The picture is too large for PNG; save it as SVG.");
  downloadBlob(name, blob);
}

function downloadBlob(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = element("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Read a file of games; a file that the server would refuse is refused here, before it is sent. */
export async function readGameFile(file, { file_characters: most }) {
  if (file.size > 4 * most) {
    say(tooLarge(file.size, most), true);
    return null;
  }
  const text = await file.text();
  if (text.length <= most) return text;
  say(tooLarge(text.length, most), true);
  return null;
}

function tooLarge(size, most) {
  return `The file is too large: it has ${size.toLocaleString("en")} characters, at most ${most.toLocaleString("en")} can be loaded. Split it, or use "plyforge annotate".`;
}

/** Fetch JSON from the server; throw its error messages. */
export async function fetchJson(address) {
  const response = await fetch(address);
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(body.error ?? `the server answered ${response.status}`);
  return body;
}

/** Messages that answer a request: they hide the error of an earlier one. */
const ANSWERS = new Set(["state", "position", "tree", "games", "watch", "record"]);
const FIRST_DELAY = 300;
const MAX_DELAY = 5000;
const TRY_AGAIN_LATER = 1013; // the code with which a server that is full closes a connection

/** Open the page's connection, which reconnects by itself; `onState(open)` is called when it opens or closes. */
export function connect(onMessage, onState = () => {}) {
  let socket = null;
  let delay = FIRST_DELAY;
  let lost = false;
  const queue = [];
  function open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(`${scheme}//${location.host}/socket`);
    socket.addEventListener("open", () => {
      if (lost) say("Connected again.");
      lost = false;
      delay = FIRST_DELAY;
      onState(true);
      while (queue.length) socket.send(queue.shift());
    });
    socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "error") say(message.text, true);
      else if (ANSWERS.has(message.type) && news.classList.contains("bad")) say("");
      if (message.type === "compiling") showCompiling(message);
      onMessage(message);
    });
    socket.addEventListener("close", (event) => {
      const reason = event.code === TRY_AGAIN_LATER && event.reason;
      if (reason) say(`Not connected: ${reason}. Trying again …`, true);
      else if (!lost) say("Connection lost; trying to reconnect …", true);
      lost = true;
      onState(false);
      setTimeout(open, delay);
      delay = Math.min(MAX_DELAY, 2 * delay);
    });
  }
  open();
  return {
    send(message) {
      const text = JSON.stringify(message);
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
      else if (queue.length < 20) queue.push(text);
    },
  };
}

function showCompiling(message) {
  say(message.done
    ? `${message.game} is ready.`
    : `Compiling ${message.kernel} for ${message.game}: about 15 seconds, only the first time.`);
  if (!message.done) clearTimeout(hideTimer);
}

// Light or dark: the system's theme until the user chooses.
const root = document.documentElement;
const KEY = "plyforge-theme";
try {
  const stored = localStorage.getItem(KEY);
  if (stored) root.dataset.theme = stored;
} catch { /* no storage: the system's theme */ }
document.getElementById("theme").addEventListener("click", () => {
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem(KEY, root.dataset.theme); } catch { /* as above */ }
});
