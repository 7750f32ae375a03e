// A few of many: check boxes in one group, drawn as chips.

export default {
  render({ model, el }) {
    const group = make("fieldset", { class: "ink-chips" }, make("legend", {}, model.get("label")));
    const boxes = model.get("options").map(([value, label]) => {
      const box = make("input", { type: "checkbox" });
      box.addEventListener("change", () => {
        const order = model.get("options").map(([each]) => each);
        const others = model.get("value").filter((each) => each !== value);
        const chosen = box.checked ? [...others, value] : others;
        // An order of its own, as the code gave it, is kept.
        const isOwn = others.some((each, at) => at && order.indexOf(others[at - 1]) > order.indexOf(each));
        model.set("value", isOwn ? chosen : order.filter((each) => chosen.includes(each)));
        model.save_changes();
      });
      group.append(make("label", { class: "ink-chip" }, box, label));
      return [value, box];
    });
    el.append(group);
    return follow(model, ["value", "disabled"], () => {
      group.disabled = model.get("disabled");
      for (const [value, box] of boxes) box.checked = model.get("value").includes(value);
    });
  },
};
