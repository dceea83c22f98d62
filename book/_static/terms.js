// Words of the glossary: their meaning in a card, when one points at them, tabs to them or taps them. The entries are at the end of
// the page, hidden, and describe the links to screen readers too. Escape closes the card; it stays while the pointer is on it.
(() => {
  const card = document.createElement("div");
  card.className = "term-card";
  card.hidden = true;
  document.body.append(card);
  let open = null;
  let timer = 0;

  const close = () => {
    clearTimeout(timer);
    card.hidden = true;
    open = null;
  };
  const show = (link) => {
    clearTimeout(timer);
    const entry = document.getElementById(`about-${decodeURIComponent(link.hash.slice(1))}`);
    if (!entry || open === link) { return; }
    open = link;
    const more = document.createElement("a");
    more.href = link.href;
    more.tabIndex = -1;  // by keyboard the word itself leads there
    more.textContent = "Glossary";
    card.replaceChildren(...[...entry.childNodes].map((node) => node.cloneNode(true)), more);
    card.hidden = false;
    const place = link.getClientRects()[0];
    const { offsetWidth: width, offsetHeight: height } = card;
    const room = document.documentElement.clientWidth - width - 8;
    const above = place.top > height + 60;
    card.style.left = `${scrollX + Math.max(8, Math.min(place.left, room))}px`;
    card.style.top = `${scrollY + (above ? place.top - height - 6 : place.bottom + 6)}px`;
  };
  const later = (action, wait) => {
    clearTimeout(timer);
    timer = setTimeout(action, wait);
  };

  for (const link of document.querySelectorAll("article a.term")) {
    const entry = document.getElementById(`about-${decodeURIComponent(link.hash.slice(1))}`);
    if (!entry) { continue; }
    link.setAttribute("aria-describedby", entry.id);
    let touched = false;
    link.addEventListener("pointerdown", (event) => { touched = event.pointerType !== "mouse"; });
    link.addEventListener("click", (event) => {
      if (touched) { event.preventDefault(); show(link); }
    });
    link.addEventListener("pointerenter", (event) => {
      if (event.pointerType === "mouse") { later(() => show(link), 150); }
    });
    link.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") { later(close, 250); }
    });
    link.addEventListener("focus", () => { if (link.matches(":focus-visible")) { show(link); } });
    link.addEventListener("blur", () => later(close, 250));
  }
  card.addEventListener("pointerenter", () => clearTimeout(timer));
  card.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") { later(close, 250); } });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") { close(); } });
  document.addEventListener("pointerdown", (event) => {
    if (open && !card.contains(event.target) && event.target.closest("a.term") !== open) { close(); }
  });
})();
