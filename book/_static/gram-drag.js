// The picture of the landing page: two points on a line, the Gram matrix of k(x, x') = tanh(1 + x x') at them, and its smaller
// eigenvalue. Without this script the picture shows one pair for which it is negative. (No module: a browser runs none from a
// folder on disk.)
(() => {
  const k = (x, y) => Math.tanh(1 + x * y);
  const gram = (a, b) => [[k(a, a), k(a, b)], [k(a, b), k(b, b)]];
  const smaller = ([[p, q], [, r]]) => (p + r) / 2 - Math.hypot((p - r) / 2, q);

  const LIMIT = 5;
  const root = document.querySelector(".gram");
  if (!root) { return; }
  const svg = root.querySelector("svg");
  const part = (name) => root.querySelector(`[data-gram="${name}"]`);
  const names = ["a", "b"];
  const handles = names.map(part);
  const points = { a: -1, b: 1 };
  let found = false;

  const shown = (value, digits) => value.toFixed(digits).replace(/^-(?=0\.?0*$)/, "").replace("-", "\u2212");
  const onLine = (x) => 320 + 56 * x;             // of the upper axis, which goes from -5 to 5
  const onScale = (value) => 120 + 440 * value;   // of the lower axis, on which 0 is at 120 and 1 at 560

  const draw = () => {
    const matrix = gram(points.a, points.b);
    const value = smaller(matrix);
    const negative = value < 0;
    const verdict = negative ? "negative" : "not negative";
    names.forEach((name, place) => {
      const x = points[name];
      handles[place].setAttribute("transform", `translate(${onLine(x)} 62)`);
      handles[place].querySelector("title").textContent = `${name} = ${shown(x, 1)}`;
      handles[place].setAttribute("aria-valuenow", x.toFixed(1));
      handles[place].setAttribute("aria-valuetext", `${name} = ${shown(x, 1)}; smaller eigenvalue ${shown(value, 3)}, ${verdict}`);
      part(`at-${name}`).textContent = shown(x, 1);
    });
    part("aa").textContent = shown(matrix[0][0], 3);
    part("ab").textContent = shown(matrix[0][1], 3);
    part("ba").textContent = shown(matrix[1][0], 3);
    part("bb").textContent = shown(matrix[1][1], 3);
    part("dot").setAttribute("cx", onScale(value));
    part("bar").setAttribute("d", `M120 150H${onScale(value)}`);
    part("value").textContent = shown(value, 3);
    part("value").dataset.exact = value;
    root.classList.toggle("negative", negative);
    if (negative !== found) {
      part("verdict").textContent = negative
        ? `Found one: at ${shown(points.a, 1)} and ${shown(points.b, 1)} an eigenvalue is negative. This is no kernel.`
        : "No eigenvalue is negative here. Move the points.";
      found = negative;
    }
  };

  const move = (name, x) => {
    points[name] = Math.round(Math.min(LIMIT, Math.max(-LIMIT, x)) * 10) / 10;
    root.classList.add("touched");
    draw();
  };
  const under = (event) => {
    const { left, width } = svg.getBoundingClientRect();
    return ((event.clientX - left) / width * 640 - 320) / 56;
  };

  handles.forEach((handle, place) => {
    const name = names[place];
    handle.setAttribute("tabindex", "0");
    handle.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? 1 : 0.1;
      const x = points[name];
      const to = {
        ArrowRight: x + step, ArrowUp: x + step, ArrowLeft: x - step, ArrowDown: x - step,
        PageUp: x + 1, PageDown: x - 1, Home: -LIMIT, End: LIMIT,
      }[event.key];
      if (to === undefined) { return; }
      event.preventDefault();
      move(name, to);
    });
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      handle.focus({ preventScroll: true });
      event.preventDefault();
    });
    handle.addEventListener("pointermove", (event) => {
      if (handle.hasPointerCapture(event.pointerId)) { move(name, under(event)); }
    });
  });

  found = true;  // what the page says before
  root.classList.add("live");
  draw();
})();
