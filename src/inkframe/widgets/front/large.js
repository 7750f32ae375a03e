// A large view above the page, of one of several things. Escape or a press beside it closes, and the focus returns.

function showLarge(place, { label, paint, step, press = () => {}, closed = () => {} }) {
  const title = make("strong", { class: "ink-name", dir: "auto" });
  const body = make("div", { class: "ink-large-body", tabindex: 0, autofocus: true });
  const acts = { onclick: ({ target }) => target === dialog && dialog.close(), onclose: () => (dialog.remove(), closed()) };
  const dialog = make("dialog", { class: "ink-large-view", "aria-label": label, ...acts });
  const draw = () => {
    const [words, ...content] = paint();
    title.textContent = words;
    body.replaceChildren(...content);
    body.scrollTop = 0;
  };
  const small = (words, name, act) => button(words, act, { title: name, "aria-label": name });
  const go = (by) => (step(by), draw());
  const steps = step ? [small("←", "Previous (←)", () => go(-1)), small("→", "Next (→)", () => go(1))] : [];
  const head = make("header", {}, title, ...steps, small("✕", "Close (Escape)", () => dialog.close()));
  dialog.append(head, body);
  dialog.addEventListener("keydown", (event) => {
    if (["Escape", "Tab", "Enter", " "].includes(event.key) || event.ctrlKey || event.metaKey) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by && step) go(by);
    else if (press(event)) draw();
    else return;
    event.preventDefault();
  });
  place.append(dialog);
  draw();
  dialog.showModal();
  return draw;
}
