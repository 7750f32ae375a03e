// A field with a list of what it may hold: matches are offered as one types, and Enter takes the first or the one
// that the arrows chose. Where nothing matches, the nearest is offered.

export default {
  render({ model, el }) {
    let [open, active, found] = [false, 0, []];
    const attributes = { type: "text", autocomplete: "off" };
    const { input, list, send, end } = optionField(model, el, "input", attributes, "Matches", () => open);

    // Labels that begin with the words come first.
    const matches = () => {
      const typed = input.value.trim().toLowerCase();
      const places = model.get("options").map((label) => [label.toLowerCase().indexOf(typed), label]);
      const [first, others] = [places.filter(([at]) => at === 0), places.filter(([at]) => at > 0)];
      return [...first, ...others].map(([, label]) => label);
    };
    const paint = () => {
      found = open ? matches() : [];
      const nearest = open && !found.length && model.get("nearest");
      if (nearest) found = [nearest];
      active = Math.min(active, Math.max(0, found.length - 1));
      showOptions(input, list, found, active, take, (label) => (nearest ? `Did you mean ${label}?` : label));
    };
    const show = (shown) => {
      open = shown;
      paint();
    };
    const take = (label) => {
      input.value = label;
      active = 0;
      send();
      show(false);
    };
    const keys = {
      ArrowDown: () => ((active = open ? active + 1 : 0), show(true)),
      ArrowUp: () => ((active = Math.max(0, active - 1)), show(true)),
      Enter: () => open && input.value.trim() && found.length && take(found[active]),
      Escape: () => show(false),
    };
    input.addEventListener("keydown", (event) => {
      if (!(event.key in keys) || event.isComposing) return;
      keys[event.key]();
      event.preventDefault();
      event.stopPropagation();
    });
    input.addEventListener("input", () => {
      active = 0;
      send();
      show(true);
    });
    input.addEventListener("click", () => show(true));
    input.addEventListener("blur", () => {
      const only = input.value.trim() && matches();
      if (only?.length === 1) take(only[0]);
      else show(false);
    });
    const offer = follow(model, ["nearest"], paint);
    return () => (offer(), end());
  },
};
