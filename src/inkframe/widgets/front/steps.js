// A slider over a few named steps: the browser's own range input, with each step's name below its place.

export default {
  render({ model, el }) {
    const steps = model.get("options");
    const id = `ink-steps-${crypto.randomUUID?.() ?? Math.random()}`;
    const input = make("input", { type: "range", id, min: 0, max: steps.length - 1, step: 1 });
    const names = steps.map(([, label], at) => {
      const name = make("span", {}, label);
      name.addEventListener("click", () => choose(at));
      return name;
    });
    const choose = (at) => {
      model.set("value", steps[at][0]);
      model.save_changes();
    };
    input.addEventListener("input", () => choose(Number(input.value)));
    el.classList.add("ink-steps");
    el.style.setProperty("--steps", steps.length);
    // The names are for the eye and the mouse: the slider itself says the one that is chosen.
    const below = make("div", { class: "ink-step-names", "aria-hidden": "true" }, ...names);
    el.append(make("label", { for: id }, model.get("label")), input, below);
    return follow(model, ["value", "disabled"], () => {
      const at = steps.findIndex(([value]) => value === model.get("value"));
      input.value = at;
      input.disabled = model.get("disabled");
      mark(input, "aria-valuetext", steps[at]?.[1] ?? "");
      names.forEach((name, place) => name.classList.toggle("ink-on", place === at));
    });
  },
};
