// A few of many: check boxes in one group, drawn as chips.

class Chips extends View {
  constructor(model, el) {
    super(model, el);
    const [order, group] = [model.get("options").map(([value]) => value), make("fieldset", { class: "ink-chips" })];
    const boxes = model.get("options").map(([value, label]) => {
      const box = make("input", { type: "checkbox" });
      box.addEventListener("change", () => {
        const others = model.get("value").filter((each) => each !== value);
        const chosen = box.checked ? [...others, value] : others;
        // An order of its own, as the code gave it, is kept.
        const isOwn = others.some((each, at) => at && order.indexOf(others[at - 1]) > order.indexOf(each));
        this.change("value", isOwn ? chosen : order.filter((each) => chosen.includes(each)));
      });
      group.append(make("label", { class: "ink-chip" }, box, label));
      return [value, box];
    });
    group.prepend(make("legend", {}, model.get("label")));
    el.append(group);
    this.follow(["value", "disabled"], () => {
      group.disabled = model.get("disabled");
      for (const [value, box] of boxes) box.checked = model.get("value").includes(value);
    });
  }
}

export default widget(Chips);
