// One of several, or a few: radio buttons or check boxes in one group, drawn as chips.

class Chips extends View {
  constructor(model, el) {
    super(model, el);
    const [order, isMany] = [model.get("options").map(([value]) => value), model.get("many")];
    const kind = { type: isMany ? "checkbox" : "radio", name: newId() };
    const group = make("fieldset", { class: "ink-chips" }, make("legend", { class: "ink-label" }, model.get("label")));
    const boxes = model.get("options").map(([value, label]) => {
      const onchange = ({ target }) => {
        const others = model.get("value").filter((each) => isMany && each !== value);
        const chosen = target.checked ? [...others, value] : others;
        // An order of its own, as the code gave it, is kept.
        const isOwn = others.some((each, at) => at && order.indexOf(others[at - 1]) > order.indexOf(each));
        this.change("value", isOwn ? chosen : order.filter((each) => chosen.includes(each)));
      };
      const box = make("input", { ...kind, onchange });
      group.append(make("label", { class: "ink-chip" }, box, label));
      return [value, box];
    });
    el.append(group);
    this.follow(["value"], (chosen) => {
      for (const [value, box] of boxes) box.checked = chosen.includes(value);
    });
  }
}

export default widget(Chips);
