// What scrolls sideways must be reachable by keyboard: code, outputs, tables and formulas. (Where MathJax draws
// the formulas in the page, it makes them all reachable.) First all boxes are measured and then all changed: in
// turns, a change could cost a new layout each. What is folded away is measured when it unfolds and not before, since
// a browser would have to lay it out for that. An accent in the text may stick out a little.
(() => {
  const code = "article pre, .cell_output > .output";
  const formulas = window.MathJax ? "" : ", .math";
  const boxes = [...document.querySelectorAll(`${code}, .pst-scrollable-table-container${formulas}`)];
  const isOpen = (box) => !box.closest("details:not([open]) > :not(summary)");
  const scrolls = (box) => {
    const spare = box.localName === "span" ? 4 : 0;
    const up = !box.matches(".math, .pst-scrollable-table-container") && box.scrollHeight > box.clientHeight;
    return up || box.scrollWidth - box.clientWidth > spare;
  };
  const makeReachable = (some) => {
    const seen = some.filter(isOpen);
    const reachable = seen.map(scrolls);
    seen.forEach((box, place) => {
      if (reachable[place]) { box.tabIndex = 0; } else { box.removeAttribute("tabindex"); }
    });
  };
  const observer = new ResizeObserver((entries) => makeReachable(entries.map(({ target }) => target)));
  boxes.forEach((box) => observer.observe(box));
  document.fonts.addEventListener("loadingdone", () => makeReachable(boxes));  // what is inside has a new width

  // The theme, whose script comes after this one, would measure all code when the page is loaded, the folded too,
  // and set off a layout for each: on a phone that was a fifth of all the work of a page.
  window.addEventListener("load", (event) => event.stopImmediatePropagation());
})();
