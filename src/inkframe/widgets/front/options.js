// A field with a list of what may be chosen below it.

// Puts the field, its label and its list on the page. What is typed is kept while ``isTyped`` says so; gives the field, the
// list, what sends the value, and what ends it all.
function optionField(model, el, tag, attributes, label, isTyped) {
  const id = `ink-options-${crypto.randomUUID?.() ?? Math.random()}`;
  const input = make(tag, {
    id, role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": `${id}-list`,
    placeholder: model.get("placeholder"), ...attributes,
  });
  const list = make("div", { id: `${id}-list`, class: "ink-options", role: "listbox", "aria-label": label });
  el.classList.add("ink-combo");
  el.append(make("label", { class: "ink-label", for: id }, model.get("label")), input, list);
  const send = () => {
    model.set("value", input.value);
    model.save_changes();
  };
  const focus = (message) => message.do === "focus" && input.focus();
  model.on("msg:custom", focus);
  const end = follow(model, ["value", "disabled"], () => {
    if (document.activeElement !== input || !isTyped()) input.value = model.get("value");
    input.disabled = model.get("disabled");
  });
  return { input, list, send, end: () => (model.off("msg:custom", focus), end()) };
}

// Shows what may be chosen below a field, with one of it marked; a click takes it.
function showOptions(input, list, found, active, take, words = (name) => name) {
  const rows = found.map((name, at) => {
    const row = make("div", { id: `${list.id}-${at}`, role: "option", "aria-selected": String(at === active) }, words(name));
    row.addEventListener("mousedown", (event) => (event.preventDefault(), take(name)));
    return row;
  });
  list.replaceChildren(...rows);
  list.hidden = !rows.length;
  mark(input, "aria-expanded", String(!list.hidden));
  mark(input, "aria-activedescendant", list.hidden ? null : rows[active].id);
  rows[active]?.scrollIntoView({ block: "nearest" });
}
