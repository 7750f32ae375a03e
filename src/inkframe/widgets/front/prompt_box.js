// A text field in which Tab, and a brace, offer the columns of a table.

export default {
  render({ model, el }) {
    const id = `ink-prompt-${crypto.randomUUID?.() ?? Math.random()}`;
    const input = make("textarea", {
      id, rows: 3, role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": `${id}-list`,
      placeholder: model.get("placeholder"),
    });
    const list = make("div", { id: `${id}-list`, class: "ink-options", role: "listbox", "aria-label": "Columns" });
    el.classList.add("ink-combo");
    el.append(make("label", { class: "ink-label", for: id }, model.get("label")), input, list);
    let [begun, active, found] = [null, 0, []]; // begun: where the word begins that is completed

    const send = () => {
      model.set("value", input.value);
      model.save_changes();
    };
    const paint = () => {
      const typed = begun === null ? "" : input.value.slice(begun, input.selectionStart).replace("{", "").toLowerCase();
      found = begun === null ? [] : model.get("columns").filter((name) => name.toLowerCase().startsWith(typed));
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
      const last = /\S+$/.exec(before)?.[0].toLowerCase();
      return last && model.get("columns").some((name) => name.toLowerCase().startsWith(last)) ? before.length - last.length : null;
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
    const focus = (message) => message.do === "focus" && input.focus();
    model.on("msg:custom", focus);
    const end = follow(model, ["value", "disabled"], () => {
      if (document.activeElement !== input) input.value = model.get("value");
      input.disabled = model.get("disabled");
    });
    paint();
    return () => {
      model.off("msg:custom", focus);
      end();
    };
  },
};
