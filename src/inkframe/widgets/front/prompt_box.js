// A text field in which Tab, and a brace, offer the columns of a table.

export default {
  render({ model, el }) {
    const { input, list, send, end } = optionField(model, el, "textarea", { rows: 3 }, "Columns", () => true);
    let [begun, active, found] = [null, 0, []]; // begun: where the word begins that is completed

    const beginning = (word) => model.get("columns").filter((name) => name.toLowerCase().startsWith(word.toLowerCase()));
    const paint = () => {
      found = begun === null ? [] : beginning(input.value.slice(begun, input.selectionStart).replace("{", ""));
      active = Math.min(active, Math.max(0, found.length - 1));
      showOptions(input, list, found, active, take);
    };
    const offer = (from) => {
      [begun, active] = [from, 0];
      paint();
    };
    const take = (name) => {
      const rest = input.value.slice(input.selectionStart).replace(/^\}/, "");
      input.value = `${input.value.slice(0, begun)}{${name}}${rest}`;
      input.selectionStart = input.selectionEnd = begun + name.length + 2;
      offer(null);
      send();
    };
    // A word before the cursor that begins the name of a column, or an open brace.
    const word = () => {
      const before = input.value.slice(0, input.selectionStart);
      const brace = before.lastIndexOf("{");
      if (brace >= 0 && !/[{}\n]/.test(before.slice(brace + 1))) return brace;
      const last = /\S+$/.exec(before)?.[0];
      return last && beginning(last).length ? before.length - last.length : null;
    };
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const isTab = event.key === "Tab" && !event.shiftKey;
      if (found.length && step) {
        active = (active + step + found.length) % found.length;
        paint();
      } else if (found.length && (isTab || event.key === "Enter")) take(found[active]);
      else if (found.length && event.key === "Escape") offer(null);
      else if (isTab && word() !== null) {
        offer(word());
        if (found.length === 1) take(found[0]);
      } else return;
      event.preventDefault();
    });
    input.addEventListener("input", () => {
      send();
      const from = word();
      offer(from !== null && input.value[from] === "{" ? from : null);
    });
    input.addEventListener("blur", () => offer(null));
    paint();
    return end;
  },
};
