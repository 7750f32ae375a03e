// A large view above the page, of one of several things. Escape or a press beside it closes, and the focus returns.

function showLarge(place, { label, paint, step, press = () => {}, closed = () => {} }) {
  const title = make("strong", { class: "ink-name", dir: "auto" });
  const body = make("div", { class: "ink-large-body", tabindex: 0, autofocus: true });
  const dialog = make("dialog", { class: "ink-large-view", "aria-label": label, "data-lm-suppress-shortcuts": "true" });
  const draw = () => {
    const [words, ...content] = paint();
    title.textContent = words;
    body.replaceChildren(...content);
    body.scrollTop = 0;
  };
  const button = (words, name, act) => {
    const made = make("button", { type: "button", class: "ink-link", title: name, "aria-label": name }, words);
    made.addEventListener("click", act);
    return made;
  };
  const go = (by) => (step(by), draw());
  const steps = step ? [button("←", "Previous (←)", () => go(-1)), button("→", "Next (→)", () => go(1))] : [];
  const head = make("header", {}, title, ...steps, button("✕", "Close (Escape)", () => dialog.close()));
  dialog.append(head, body);
  dialog.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (["Escape", "Tab", "Enter", " "].includes(event.key) || event.ctrlKey || event.metaKey) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by && step) go(by);
    else if (press(event)) draw();
    else return;
    event.preventDefault();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => (dialog.remove(), closed()));
  place.append(dialog);
  draw();
  dialog.showModal();
  return draw;
}
