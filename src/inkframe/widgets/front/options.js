
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
