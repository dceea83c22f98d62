// A table that scrolls must be reachable by keyboard; the theme sees to code and outputs, MathJax to equations.
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) {
      target.tabIndex = 0;
    } else {
      target.removeAttribute("tabindex");
    }
  }
});
document.querySelectorAll(".pst-scrollable-table-container").forEach((box) => observer.observe(box));

// What the download button offers is to be saved, not shown. (Opened from a folder, a browser shows it all the
// same, in a new tab.)
document.querySelectorAll("a.btn-download-source-button").forEach((link) => {
  link.download = "";
});
