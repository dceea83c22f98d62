// What the search shows of a page: its article alone, without buttons, without the drawn formulas' TeX, and with each formula in
// the text as a reader would say it, from its MathML.
const searchNoise = ".headerlink, script, style, .highlight, .math.block, div.math, .badge, .terms, .prevnext, .output, nav, svg, form";

Search.htmlToText = (text, anchor) => {
  const page = new DOMParser().parseFromString(text, "text/html");
  const article = page.querySelector("article") ?? page.querySelector('[role="main"]');
  if (!article) { return ""; }
  article.querySelectorAll("mjx-container").forEach((formula) => {
    const spoken = formula.querySelector("mjx-assistive-mml")?.textContent ?? "";
    formula.replaceWith(spoken.length < 15 ? spoken : "…");
  });
  article.querySelectorAll("span.math").forEach((formula) => {  // where MathJax draws in the page it is still TeX
    if (/\\\(/.test(formula.textContent)) { formula.textContent = "…"; }
  });
  article.querySelectorAll(searchNoise).forEach((part) => part.remove());
  let part = article;
  try { part = (anchor && article.querySelector(anchor)) || article; } catch { /* an anchor that is no selector */ }
  const entry = part.localName === "dt" ? `: ${part.nextElementSibling?.textContent ?? ""}` : "";  // of the glossary, or of the package
  return (part.textContent + entry).replace(/\s+/g, " ");
};
