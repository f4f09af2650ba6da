// The order of search results: guides and flags come first; source files, measured runs and the history come last.
const ranks = [
  [/^(start|docs\/tour|docs\/(python-)?tutorial|python\/README|docs\/how-to\/.*)$/, 8],
  [/^reference\/commands\/train$/, 9],
  [/^reference\/commands\//, 8],
  [/^reference\/python\/HalfspaceClassifier$/, 1],
  [/^reference\/python\//, 0],
  [/^(docs|reference)\/(?!headers\/|experiments$)/, 4],
  [/^(source|bench|reference\/headers)\/|^docs\/experiments$|^[A-Z]/, -4],
];

var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,

  score: (result) => {
    const [page, title, anchor, description, score] = result;
    const command = page.match(/^reference\/commands\/(.*)$/);
    if (command && anchor.startsWith(`#${command[1]}-`)) {
      result[1] += " &gt; --" + anchor.slice(command[1].length + 2);
    } else {
      const heading = title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
      // A page and its first heading are one result.
      if (anchor === "#" + heading || /^#index-\d+$/.test(anchor)) result[2] = "";
    }
    const rank = ranks.find(([pattern]) => pattern.test(page));
    const property = description !== null && description.startsWith("Python property");
    return score + (rank ? rank[1] : 0) - (property ? 5 : 0);
  },
};
