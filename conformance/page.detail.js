// The dialog that a cell opens. Joined to page.js, whose names it uses.

function checksOf(checks) {
  return Object.entries(checks ?? {}).filter(([, held]) => held !== null)
    .map(([name, held]) => `${name} ${held ? "holds" : "fails"}`).join(", ");
}

function facts(run, number) {
  const list = element("dl");
  const add = (name, ...what) => list.append(element("dt", { textContent: name }), element("dd", {}, ...what));
  const detail = run.details[number] ?? {}, known = run.known[detail.known], cure = fixes[detail.fix ?? known?.fix];
  add("covers", cases[number][2].join(", ") || "-");
  add("seconds", String(run.seconds[number]));
  add("transfers", run.transfers[number] === null ? "not counted" : `${run.transfers[number]} from device to host`);
  const checks = checksOf(run.checks[number] ?? run.usual);
  if (checks) add("also", checks);
  for (const other of runs) {
    if (other !== run && other.outcomes[number] >= 0) add(other.name, outcomes[other.outcomes[number]].name);
  }
  if (known) add("known", `${known.reason} `, link(known.link));
  if (detail.surprise) add("not as known", detail.surprise);
  if (cure) {
    add("fix", cure.title);
    if (cure.command) add("more about it", element("code", { textContent: cure.command }));
    if (cure.address) add("its code", link(cure.address));
    else if (cure.files.length) add("its code", element("code", { textContent: cure.files.join(", ") }));
    add("upstream issue", cure.issue ? link(cure.issue) : "none is known");
  }
  return [list, ...(cure ? [element("details", {}, element("summary", { textContent: `about the fix ${cure.id}` }),
    element("div", { className: "body" }, element("pre", { className: "wrap", textContent: cure.text })))] : [])];
}

async function copy(script, button) {
  try {
    await navigator.clipboard.writeText(script);
  } catch { // no clipboard for this page: the old way
    const area = element("textarea", { value: script });
    $("detail").append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    button.focus();
  }
  button.textContent = "copied";
  setTimeout(() => { button.textContent = "copy"; }, 2000);
}

function caseOf(run, number, unfolded) {
  const kind = outcomes[run.outcomes[number]], detail = run.details[number] ?? {};
  const body = element("div", { className: "body" });
  if (detail.message) body.append(element("p", { className: `message name ${kind.tone}`, textContent: detail.message }));
  body.append(...facts(run, number));
  if (detail.reproducer) {
    const button = element("button", { type: "button", className: "copy", textContent: "copy", "aria-live": "polite" });
    button.addEventListener("click", () => copy(detail.reproducer, button));
    body.append(element("div", { className: "script" }, "Script that reproduces it", button),
      element("pre", { textContent: detail.reproducer, tabIndex: 0 }));
  }
  const made = element("details", { open: unfolded, dataset: { number } },
    element("summary", {}, element("span", { className: `badge ${kind.tone}`, textContent: `${kind.mark} ${kind.name}` }),
      element("span", { className: "name", textContent: cases[number][0] })), body);
  made.addEventListener("toggle", () => { if (made.open) remember(run, number); });
  return made;
}

function remember(run, number) {
  history.replaceState(null, "", `#${new URLSearchParams({ run: run.name, case: cases[number][0] })}`);
}

function show(run, operation, numbers, from, chosen) {
  const here = numbers.filter((number) => run.outcomes[number] >= 0);
  here.sort((a, b) => run.outcomes[b] - run.outcomes[a] || a - b);
  current = from ?? current;
  reachable();
  $("detail-title").textContent = operation;
  $("detail-run").textContent = `${run.name}. ${run.origin}`;
  const first = chosen ?? here[0];
  $("detail-cases").replaceChildren(...here.map((number) => caseOf(run, number, number === first)));
  $("detail").showModal();
  $("detail").scrollTop = 0;
  $("detail-title").focus();
  if (chosen !== undefined) document.querySelector(`details[data-number="${chosen}"]`)?.scrollIntoView();
}

