// How the search ranks what it finds; Sphinx reads this before its own searchtools.js. An ID of a claim comes first, then the
// chapters and their sections, then the other pages, and then the entries and the source of the package.
var Scorer = {
  score: ([page, , , kind, score]) => {
    if (/\bclaim\b/.test(kind ?? "")) { return score + 1000; }
    if (/^_modules\/|^genindex|^py-modindex|^proof-/.test(page)) { return score - 60; }
    if (/^book\/api\//.test(page)) { return score - 40; }
    if (/^book\/\d\d-/.test(page)) { return score + 20; }
    if (/^book\/(glossary|notation|A-errata)/.test(page)) { return score + 5; }
    return score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
