// What every page needs: the connection, news for the reader, elements, pictures.

const news = document.getElementById("news");
let silence = 0;

/** Tell the reader something: shown for a while, and read out. */
export function say(text, bad = false) {
  news.textContent = text;
  news.classList.toggle("bad", bad);
  clearTimeout(silence);
  if (text) silence = setTimeout(() => { news.textContent = ""; }, bad ? 12000 : 5000);
}

/** Tell those who listen what those who look can see. */
export function whisper(text) {
  document.getElementById("whisper").textContent = text;
}

/** An element with attributes, listeners (onclick) and children. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** A side's colour. */
export function sideDot(colour) {
  return element("span", { class: "side", "data-colour": colour, "aria-hidden": "true" });
}

/** A picture out of its text; scripts in it would not run. */
export function svg(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return document.importNode(parsed, true);
}

/** Give a browser a text to keep as a file. */
export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = element("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** JSON from the server; what it says is wrong becomes an error. */
export async function fetched(address) {
  const answer = await fetch(address);
  const given = await answer.json().catch(() => ({ error: `the server answered ${answer.status}` }));
  if (!answer.ok) throw new Error(given.error ?? `the server answered ${answer.status}`);
  return given;
}

/** Messages that show that the last thing asked was done: an error before it is over. */
const ANSWERS = new Set(["state", "position", "tree", "games", "watch", "record"]);
const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

/** The page's connection, which comes back by itself. `onState(open)` hears of every change. */
export function connect(onMessage, onState = () => {}) {
  let socket = null;
  let wait = FIRST_WAIT;
  let lost = false;
  const waiting = [];
  function open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(`${scheme}//${location.host}/socket`);
    socket.addEventListener("open", () => {
      if (lost) say("The connection is back.");
      lost = false;
      wait = FIRST_WAIT;
      onState(true);
      while (waiting.length) socket.send(waiting.shift());
    });
    socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "error") say(message.text, true);
      else if (ANSWERS.has(message.type) && news.classList.contains("bad")) say("");
      if (message.type === "compiling") compiling(message);
      onMessage(message);
    });
    socket.addEventListener("close", () => {
      if (!lost) say("The connection is lost; trying to get it back …", true);
      lost = true;
      onState(false);
      setTimeout(open, wait);
      wait = Math.min(LONGEST_WAIT, 2 * wait);
    });
  }
  open();
  return {
    send(message) {
      const text = JSON.stringify(message);
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
      else if (waiting.length < 20) waiting.push(text);
    },
  };
}

function compiling(message) {
  say(message.done
    ? `${message.game} is ready.`
    : `Compiling ${message.kernel} for ${message.game}: once, some 15 seconds; later starts are quick.`);
  if (!message.done) clearTimeout(silence);
}

// Light and dark: as the system has it, until the reader chooses.
const root = document.documentElement;
const KEY = "plyforge-theme";
try {
  const kept = localStorage.getItem(KEY);
  if (kept) root.dataset.theme = kept;
} catch { /* no storage: the system's theme */ }
document.getElementById("theme").addEventListener("click", () => {
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem(KEY, root.dataset.theme); } catch { /* as above */ }
});
