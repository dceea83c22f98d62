// Draws formulas with MathJax, as a page would: one line of JSON in, one line of JSON out.
// Started by formulas.py: node formulas.cjs FOLDER_OF_MATHJAX SETTINGS; it ends when its input ends.

const path = require("node:path");
const readline = require("node:readline");

const [folder, settings] = process.argv.slice(2);
const { tex = {}, chtml = {} } = JSON.parse(settings);
// As tex-chtml.js has them, but for one: what MathJax does not know is an error, not a word in red.
const packages = { "[-]": ["noundefined"] };

async function main() {
  const mathjax = await require(path.join(folder, "node-main.js")).init({
    loader: {
      load: ["adaptors/liteDOM", "input/tex", "output/chtml", "a11y/assistive-mml"],
      versionWarnings: false,
    },
    tex: { packages, ...tex, formatError: (_, error) => { throw error; } },
    chtml: { ...chtml, adaptiveCSS: false },
    startup: { typeset: false },
  });
  const { adaptor } = mathjax.startup;

  const answer = async ({ tex, display }) => {
    if (tex === undefined) {
      return { version: mathjax.version, styles: adaptor.textContent(mathjax.chtmlStylesheet()) };
    }
    try {
      mathjax.texReset();
      const drawn = await mathjax.tex2chtmlPromise(tex, { display });
      return { html: adaptor.outerHTML(drawn).replace('class=" ', 'class="') };
    } catch (error) {
      return { error: error.message };
    }
  };

  for await (const line of readline.createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
