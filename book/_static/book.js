// A formula that is drawn has no text for the eye: who copies a passage gets its formulas as TeX.
document.addEventListener("copy", (event) => {
  const selection = getSelection();
  const copied = document.createElement("div");
  for (let place = 0; place < selection.rangeCount; place += 1) {
    copied.append(selection.getRangeAt(place).cloneContents());
  }
  const formulas = copied.querySelectorAll("mjx-container[data-tex]");
  if (formulas.length === 0) { return; }
  for (const formula of formulas) {
    const sign = formula.hasAttribute("display") ? "$$" : "$";
    formula.replaceWith(sign + formula.dataset.tex + sign);
  }
  document.querySelector("article").append(copied);  // only what is in the page has its text in lines
  event.clipboardData.setData("text/plain", copied.innerText);
  event.clipboardData.setData("text/html", copied.innerHTML);
  copied.remove();
  event.preventDefault();
});

// The contents of the page follow the reader: the entry of the section that is read stays in sight, by scrolling the panel alone.
const panel = document.querySelector(".bd-sidebar-secondary");
document.addEventListener("activate.bs.scrollspy", () => {
  const entry = [...(panel?.querySelectorAll(".nav-link.active") ?? [])].at(-1);
  if (!entry) { return; }
  const seen = panel.getBoundingClientRect();
  const place = entry.getBoundingClientRect();
  if (place.top < seen.top + 48 || place.bottom > seen.bottom - 48) {
    panel.scrollTop += place.top - seen.top - panel.clientHeight / 3;
  }
});

// What the download button offers is to be saved, not shown. (Opened from a folder, a browser shows it all the
// same, in a new tab.)
document.querySelectorAll("a.btn-download-source-button").forEach((link) => {
  link.download = "";
});

// The errata: show what the form asks for. The choice is kept in the address, so that it can be sent to others.
const filter = document.querySelector("form.errata-filter");
if (filter) {
  const groups = [...document.querySelectorAll(".errata-group")];
  const entries = [...document.querySelectorAll(".erratum")];
  const text = new Map(entries.map((entry) => [entry, entry.textContent.toLowerCase()]));
  const title = (group) => group.querySelector("h2").firstChild.textContent.trim();
  const contents = new Map(
    [...document.querySelectorAll(".bd-toc a[href^='#']")].map((link) => [link.hash.slice(1), link.parentElement]),
  );

  const show = () => {
    const asked = Object.fromEntries([...new FormData(filter)].filter(([, value]) => value.trim()));
    const words = (asked.words ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = (entry) =>
      (!asked.chapter || title(entry.closest(".errata-group")) === asked.chapter) &&
      (!asked.deck || entry.classList.contains(`deck-${asked.deck}`)) &&
      (!asked.mark || entry.classList.contains(`mark-${asked.mark}`)) &&
      (!asked.transcription || entry.classList.contains("transcription")) &&
      words.every((word) => text.get(entry).includes(word));
    entries.forEach((entry) => { entry.hidden = !wanted(entry); });
    groups.forEach((group) => { group.hidden = !group.querySelector(".erratum:not([hidden])"); });
    for (const part of [...entries, ...groups]) {
      contents.get(part.id)?.toggleAttribute("hidden", part.hidden);
    }
    const shown = entries.filter((entry) => !entry.hidden).length;
    filter.querySelector("output").textContent = `${shown} of ${entries.length} shown`;
    const query = new URLSearchParams(asked).toString();
    if (location.protocol !== "file:") {  // of a page in a folder a browser keeps the address as it is
      history.replaceState(null, "", (query ? `?${query}` : location.pathname) + location.hash);
    }
  };

  // A link to an entry that is not shown shows all.
  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.closest("[hidden]")) {
      filter.reset();
      show();
      target.scrollIntoView();
    }
  };

  for (const [name, value] of new URLSearchParams(location.search)) {
    const field = filter.elements[name];
    if (field?.type === "checkbox") { field.checked = true; } else if (field) { field.value = value; }
  }
  filter.hidden = false;
  filter.addEventListener("submit", (event) => event.preventDefault());
  filter.addEventListener("input", show);
  filter.addEventListener("reset", () => setTimeout(show));
  window.addEventListener("hashchange", reveal);
  show();
  reveal();
}
