// The code that does what a panel would do, and a button that copies it.

class CodeBox extends View {
  constructor(model, el) {
    super(model, el);
    const shown = make("code");
    const text = make("pre", { tabindex: 0, role: "region", "aria-label": "The same in Python" }, shown);
    const copy = button("Copy", async () => {
      try {
        await navigator.clipboard.writeText(shown.textContent);
        copy.textContent = "Copied";
        setTimeout(() => (copy.textContent = "Copy"), 1500);
      } catch {
        getSelection().selectAllChildren(shown); // no clipboard here: the text is selected instead
      }
    });
    const box = make("div", { class: "ink-code" }, text, copy);
    el.append(box);
    this.follow(["code"], (code) => {
      shown.textContent = code;
      box.hidden = !code;
    });
  }
}

export default {
  ...widget(CodeBox),
  // The answer follows every change that the page held back. A box that is not shown answers, too.
  initialize({ model }) {
    model.on("msg:custom", () => model.send({ kind: "settled" }));
  },
};
