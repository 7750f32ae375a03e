// A slider over a few named steps: the browser's own range input, with each step's name below its place.

class Steps extends View {
  constructor(model, el) {
    super(model, el);
    const [steps, id] = [model.get("options"), newId()];
    const choose = (at) => this.change("value", steps[at][0]);
    const input = make("input", { type: "range", id, min: 0, max: steps.length - 1, step: 1 });
    const names = steps.map(([, label]) => make("span", {}, label));
    input.addEventListener("input", () => choose(Number(input.value)));
    names.forEach((name, at) => name.addEventListener("click", () => choose(at)));
    el.classList.add("ink-steps");
    el.style.setProperty("--steps", steps.length);
    // The names are for the eye and the mouse: the slider itself says the one that is chosen.
    const below = make("div", { class: "ink-step-names", "aria-hidden": "true" }, ...names);
    el.append(make("label", { for: id }, model.get("label")), input, below);
    this.follow(["value", "disabled"], () => {
      const at = steps.findIndex(([value]) => value === model.get("value"));
      Object.assign(input, { value: at, disabled: model.get("disabled") });
      mark(input, "aria-valuetext", steps[at]?.[1] ?? "");
      names.forEach((name, place) => name.classList.toggle("ink-on", place === at));
    });
  }
}

export default widget(Steps);
