// A drawing whose parts can be chosen by mouse, finger and keys.
//
// All state is in Python: `view` comes as a whole, once a move, and is painted once; what was
// chosen goes back as `click` = [name of the part, number of the click].

const PATIENCE = 1500; // milliseconds without an answer before we say why
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function element(tag, className, attributes = {}) {
  const made = document.createElement(tag);
  made.className = className;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function render({ model, el }) {
  const root = element("div", "course-surface", { "data-lm-suppress-shortcuts": "true" });
  const drawing = element("div", "course-drawing");
  const status = element("div", "course-status", { role: "status", "aria-live": "polite" });
  const message = element("div", "course-message", { role: "status", "aria-live": "polite" });
  const moves = element("div", "course-moves", { role: "group", "aria-label": "moves so far" });
  const spoken = element("div", "course-spoken", { role: "status", "aria-live": "polite" });
  root.append(status, drawing, moves, message, spoken);
  el.append(root);

  let current = null; // the part that Tab leads to
  let waiting = null;

  const parts = () => [...drawing.querySelectorAll("[data-cell]")];

  function makeCurrent(part, focus) {
    for (const each of parts()) each.setAttribute("tabindex", each === part ? "0" : "-1");
    current = part ? part.dataset.cell : null;
    if (part && focus) part.focus({ preventScroll: true });
  }

  function paint() {
    const view = model.get("view");
    const hadFocus = drawing.contains(document.activeElement);
    clearTimeout(waiting);
    drawing.innerHTML = view.html;
    root.classList.toggle("busy", view.busy);
    root.dataset.mover = view.mover;
    root.dataset.answered = view.answered;
    status.textContent = view.status;
    moves.textContent = view.moves;
    spoken.textContent = view.spoken;
    message.textContent = view.message;
    message.classList.toggle("problem", view.problem);
    const drawn = drawing.querySelector("svg");
    if (drawn && parts().length) drawn.setAttribute("role", "group");
    for (const part of parts()) {
      const title = part.querySelector("title");
      part.setAttribute("role", part.tagName === "FIGURE" ? "img" : "button");
      if (title) part.setAttribute("aria-label", title.textContent);
      if (!("action" in part.dataset) && part.tagName !== "FIGURE") part.setAttribute("aria-disabled", "true");
    }
    const again = parts().find((part) => part.dataset.cell === current);
    makeCurrent(again || drawing.querySelector("[data-action]") || parts()[0], hadFocus);
  }

  function choose(part) {
    if (!part || !("action" in part.dataset) || root.classList.contains("busy")) return;
    makeCurrent(part, true);
    model.set("click", [part.dataset.action, Date.now()]);
    model.save_changes();
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      message.textContent = "No answer. Is the kernel running? Run this cell first.";
      message.classList.add("problem");
    }, PATIENCE);
  }

  // The nearest part in the direction of an arrow: a step aside counts double.
  function neighbour(part, [dx, dy]) {
    const middle = (each) => {
      const box = each.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(part);
    let best = null;
    let least = Infinity;
    for (const each of parts()) {
      const [ex, ey] = middle(each);
      const ahead = (ex - x) * dx + (ey - y) * dy;
      const aside = Math.abs((ex - x) * dy) + Math.abs((ey - y) * dx);
      if (ahead > 1 && ahead + 2 * aside < least) {
        least = ahead + 2 * aside;
        best = each;
      }
    }
    return best;
  }

  drawing.addEventListener("click", (event) => choose(event.target.closest("[data-action]")));
  drawing.addEventListener("keydown", (event) => {
    const part = event.target.closest("[data-cell]");
    if (!part) return;
    if (event.key in ARROWS) {
      const next = neighbour(part, ARROWS[event.key]);
      if (next) makeCurrent(next, true);
    } else if (event.key === "Enter" || event.key === " ") {
      choose(part);
    } else {
      return;
    }
    event.preventDefault(); // or JupyterLab and the page take the key, too
    event.stopPropagation();
  });

  model.on("change:view", paint);
  paint();
  return () => {
    clearTimeout(waiting);
    model.off("change:view", paint);
  };
}

export default { render };
