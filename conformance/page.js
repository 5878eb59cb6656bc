"use strict";
// All text from a run is put in by textContent, and never as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const { outcomes, cases, runs, fixes } = data;
const PASS = 0, SKIP = 1;
const $ = (id) => document.getElementById(id);

function element(tag, options = {}, ...children) {
  const made = document.createElement(tag);
  const { dataset, ...properties } = options;
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role" || name === "colspan" || name === "scope") made.setAttribute(name, value);
    else made[name] = value;
  }
  Object.assign(made.dataset, dataset);
  made.append(...children);
  return made;
}

function link(address) {
  if (!/^https?:\/\//i.test(address)) return element("code", { textContent: address });
  return element("a", { href: address, textContent: address, target: "_blank", rel: "noopener noreferrer" });
}

// What a case is about, without its arguments and inputs; all of a name that is nothing but arguments.
function operationOf(name, family) {
  const own = name.slice(family.length + 1);
  return own.split(/[[@]/, 1)[0] || own.split("@", 1)[0];
}

// Families, and in them operations, each with the numbers of its cases.
const families = new Map();
cases.forEach(([name, family], number) => {
  const operation = operationOf(name, family);
  if (!families.has(family)) families.set(family, new Map());
  const operations = families.get(family);
  if (!operations.has(operation)) operations.set(operation, []);
  operations.get(operation).push(number);
});
const texts = cases.map(([name, , names], number) =>
  [name, ...names, ...runs.flatMap((run) => {
    const detail = run.details[number] ?? {}, known = run.known[detail.known];
    return [detail.message, known?.reason, detail.fix ?? known?.fix];
  })].join("\n").toLowerCase());
const differs = cases.map((_, number) => new Set(runs.map((run) => run.outcomes[number]).filter((it) => it >= 0)).size > 1);
const moved = cases.map((_, number) => runs.some((run) => run.transfers[number] > 0));
const surprising = cases.map((_, number) => runs.some((run) => run.details[number]?.surprise));

const filter = { text: "", outcomes: new Set(), differ: false, moved: false, surprise: false };
const open = new Set();
let current = null; // the one cell that Tab reaches

const filtering = () => filter.text || filter.outcomes.size || filter.differ || filter.moved || filter.surprise;

function matches(number) {
  if (filter.text && !filter.text.toLowerCase().split(/\s+/).every((word) => texts[number].includes(word))) return false;
  if (filter.outcomes.size && !runs.some((run) => filter.outcomes.has(run.outcomes[number]))) return false;
  if (filter.moved && !moved[number]) return false;
  return (!filter.differ || differs[number]) && (!filter.surprise || surprising[number]);
}

function tally(run, numbers) {
  const counts = new Array(outcomes.length).fill(0);
  for (const number of numbers) if (run.outcomes[number] >= 0) counts[run.outcomes[number]] += 1;
  const all = counts.reduce((sum, count) => sum + count, 0);
  const worst = counts.findLastIndex((count, outcome) => count && (outcome !== SKIP || count === all));
  return { counts, all, ran: all - counts[SKIP], passed: counts[PASS], worst };
}

function stripe({ counts, all }) {
  const made = element("div", { className: "stripe", "aria-hidden": "true" });
  counts.forEach((count, outcome) => {
    if (!count) return;
    const part = element("i", { className: "part", title: `${count} ${outcomes[outcome].name}` });
    part.style.flex = `${count} 0 0`;
    part.style.color = `var(--${outcomes[outcome].tone}-solid)`;
    made.append(part);
  });
  if (!all) made.hidden = true;
  return made;
}

function ratioOf(found) {
  return found.ran ? `${found.passed}/${found.ran}` : `${found.all} skipped`;
}

function percent({ passed, ran }) { // rounded down: 100 % means all of them
  return ran ? `${Math.floor((passed * 1000) / ran) / 10} %` : "-";
}

function cellOf(run, operation, numbers) {
  const found = tally(run, numbers);
  if (!found.all) return element("td", { className: "none", textContent: "·", title: "not in this run" });
  const kind = outcomes[found.worst];
  const ratio = ratioOf(found);
  const label = !found.ran || found.passed === found.ran ? "" : kind.name;
  const button = element("button", { type: "button", className: `cell ${kind.tone}`, tabIndex: -1,
    "aria-label": `${operation}, ${run.name}: ${ratio}${found.ran ? " passed" : ""}${label && `, worst outcome ${label}`}`, title: `${run.name}: ${label || kind.name}` },
  element("b", { textContent: kind.mark, "aria-hidden": "true" }),
  element("span", { textContent: ratio }), element("span", { className: "label", textContent: label }));
  button.addEventListener("click", () => show(run, operation, numbers, button));
  return element("td", {}, button);
}

function rowsOf(operations) {
  return [...operations].map(([operation, numbers]) => element("tr", { className: "op" },
    element("th", { scope: "row", className: "name", textContent: operation }),
    ...runs.map((run) => cellOf(run, operation, numbers))));
}

function bodyOf(family, operations) {
  const numbers = [...operations.values()].flat();
  const unfolded = open.has(family) || (filtering() && !open.has(`-${family}`));
  const toggle = element("button", { type: "button", textContent: family, "aria-expanded": String(unfolded) });
  const head = element("tr", { className: "family" }, element("th", { scope: "rowgroup" }, toggle));
  for (const run of runs) {
    const found = tally(run, numbers);
    head.append(element("td", {}, found.all ? ratioOf(found) : "·", stripe(found)));
  }
  const body = element("tbody", {}, head);
  if (unfolded) body.append(...rowsOf(operations));
  toggle.addEventListener("click", () => {
    const now = toggle.getAttribute("aria-expanded") !== "true";
    toggle.setAttribute("aria-expanded", String(now));
    open.delete(now ? `-${family}` : family);
    open.add(now ? family : `-${family}`);
    if (now) body.append(...rowsOf(operations));
    else while (body.lastChild !== head) body.lastChild.remove();
    reachable();
  });
  return body;
}

function reachable() {
  const cells = document.querySelectorAll("button.cell");
  if (!current?.isConnected) current = cells[0] ?? null;
  for (const cell of cells) cell.tabIndex = cell === current ? 0 : -1;
}

function draw() {
  const table = document.querySelector("table");
  for (const body of [...table.tBodies]) body.remove();
  let shown = 0;
  for (const [family, operations] of families) {
    const kept = new Map();
    for (const [operation, numbers] of operations) {
      const found = numbers.filter(matches);
      if (found.length) kept.set(operation, found);
      shown += found.length;
    }
    if (kept.size) table.append(bodyOf(family, kept));
  }
  $("shown").textContent = filtering() ? `${shown} of ${cases.length} cases match.` : `${cases.length} cases.`;
  $("nothing").hidden = shown > 0;
  document.querySelector(".scroll").hidden = shown === 0;
  reachable();
}

function follow() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const number = cases.findIndex(([name]) => name === asked.get("case"));
  const run = runs.find((it) => it.name === asked.get("run"));
  if (number < 0 || !run || run.outcomes[number] < 0) return;
  const [name, family] = cases[number];
  const operation = operationOf(name, family);
  show(run, operation, families.get(family).get(operation), null, number);
}

function move(event) {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
  if (!step || !event.target.classList.contains("cell")) return;
  event.preventDefault();
  const rows = [...document.querySelectorAll("tr.op")];
  let row = rows.indexOf(event.target.closest("tr")), column = event.target.closest("td").cellIndex;
  do {
    row += step[0];
    column += step[1];
    const next = rows[row]?.cells[column]?.querySelector("button.cell");
    if (next) {
      current = next;
      reachable();
      next.focus();
      return;
    }
  } while (rows[row] && column > 0 && column <= runs.length);
}

// Where no scrolling sideways is needed, the head of the table stays in view, below the filters if they do too.
function fit() {
  const scroll = document.querySelector(".scroll"), table = scroll.querySelector("table"), filters = $("filters");
  scroll.classList.toggle("fits", table.offsetWidth <= scroll.clientWidth + 1);
  const above = getComputedStyle(filters).position === "sticky" ? filters.offsetHeight - 1 : 0;
  scroll.style.setProperty("--top", `${above}px`);
}

function start() {
  document.querySelector("table").style.setProperty("--runs", String(runs.length));
  $("head").append(element("th", { scope: "col", textContent: "operation" }),
    ...runs.map((run) => element("th", { scope: "col", textContent: run.name })));
  const everything = cases.map((_, number) => number);
  for (const run of runs) {
    const found = tally(run, everything);
    $("runs").append(element("li", {}, element("span", { className: "share", textContent: percent(found) }),
      element("b", { textContent: run.name }), stripe(found), element("details", {},
        element("summary", { textContent: `${found.passed} of ${found.ran} passed` }), run.origin)));
  }
  outcomes.forEach((kind, outcome) => {
    const count = runs.reduce((sum, run) => sum + run.outcomes.filter((it) => it === outcome).length, 0);
    if (!count) return;
    const button = element("button", { type: "button", className: kind.tone, textContent: `${kind.mark} ${kind.name} ${count}`,
      "aria-pressed": "false", dataset: { outcome } });
    button.addEventListener("click", () => {
      const on = !filter.outcomes.delete(outcome);
      if (on) filter.outcomes.add(outcome);
      button.setAttribute("aria-pressed", String(on));
      draw();
    });
    $("outcomes").append(button);
  });
  $("text").addEventListener("input", () => { filter.text = $("text").value.trim(); draw(); });
  for (const name of ["differ", "moved", "surprise"]) {
    $(name).addEventListener("change", () => { filter[name] = $(name).checked; draw(); });
  }
  if (runs.length < 2) $("differ").closest("label").hidden = true;
  if (!moved.some(Boolean)) $("moved").closest("label").hidden = true;
  if (!surprising.some(Boolean)) $("surprise").closest("label").hidden = true;
  const fold = (mark) => { open.clear(); for (const family of families.keys()) open.add(mark + family); draw(); };
  $("unfold").addEventListener("click", () => fold(""));
  $("fold").addEventListener("click", () => fold("-"));
  $("clear").addEventListener("click", () => {
    Object.assign(filter, { text: "", differ: false, moved: false, surprise: false });
    filter.outcomes.clear();
    $("filters").reset();
    for (const button of $("outcomes").children) button.setAttribute("aria-pressed", "false");
    open.clear();
    draw();
  });
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("close").addEventListener("click", () => $("detail").close());
  $("detail").addEventListener("click", (event) => { if (event.target === $("detail")) $("detail").close(); });
  $("detail").addEventListener("close", () => { history.replaceState(null, "", "#"); current?.focus(); });
  document.addEventListener("keydown", move);
  window.addEventListener("hashchange", follow);
  draw();
  new ResizeObserver(fit).observe($("filters"));
  follow();
}

start();
