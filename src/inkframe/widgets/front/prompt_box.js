// A text field in which Tab, and a brace, offer the columns of a table.

class PromptBox extends View {
  constructor(model, el) {
    super(model, el);
    Object.assign(this, { begun: null, active: 0, found: [] }); // begun: where the word begins that is completed
    const id = newId();
    const roles = { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": `${id}-list` };
    const acts = { onkeydown: (event) => this.key(event), oninput: () => this.typed(), onblur: () => this.offer(null) };
    this.input = make("textarea", { id, ...roles, ...acts, placeholder: model.get("placeholder"), rows: 3 });
    this.list = make("div", { id: `${id}-list`, class: "ink-options", role: "listbox", "aria-label": "Columns" });
    el.classList.add("ink-combo");
    el.append(make("label", { class: "ink-label", for: id }, model.get("label")), this.input, this.list);
    this.follow(["value"], (value) => {
      if (document.activeElement !== this.input) this.input.value = value;
    });
    this.paint();
  }

  typed() {
    this.change("value", this.input.value);
    const from = this.word();
    this.offer(from !== null && from < this.input.selectionStart && this.input.value[from] === "{" ? from : null);
  }

  beginning(word) {
    return this.model.get("columns").filter((name) => name.toLowerCase().startsWith(word.toLowerCase()));
  }

  offer(from) {
    [this.begun, this.active, this.leaves] = [from, 0, false];
    this.paint();
  }

  // Shows what may be chosen below the field, with one of it marked; a click takes it.
  paint() {
    const { input, list, begun } = this;
    this.found = begun === null ? [] : this.beginning(input.value.slice(begun, input.selectionStart).replace("{", ""));
    this.active = Math.min(this.active, Math.max(0, this.found.length - 1));
    const rows = this.found.map((name, at) => {
      const onmousedown = (event) => (event.preventDefault(), this.take(name));
      return make("div", { id: `${list.id}-${at}`, role: "option", "aria-selected": String(at === this.active), onmousedown }, name);
    });
    list.replaceChildren(...rows);
    list.hidden = !rows.length;
    mark(input, "aria-expanded", String(!list.hidden));
    mark(input, "aria-activedescendant", rows[this.active]?.id ?? null);
    rows[this.active]?.scrollIntoView({ block: "nearest" });
  }

  take(name) {
    const { input, begun } = this;
    const end = input.selectionStart + (input.value[input.selectionStart] === "}");
    input.setRangeText(`{${name}}`, begun, end, "end");
    this.offer(null);
    this.change("value", input.value);
  }

  // Where a word before the cursor begins that begins the name of a column, or an open brace; after a space, the cursor.
  word() {
    const before = this.input.value.slice(0, this.input.selectionStart);
    const brace = before.lastIndexOf("{");
    if (brace >= 0 && !/[{}\n]/.test(before.slice(brace + 1))) return brace;
    const last = /\S*$/.exec(before)[0];
    return this.beginning(last).length ? before.length - last.length : null;
  }

  key(event) {
    const { found } = this;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isTab = event.key === "Tab" && !event.shiftKey && !this.leaves;
    if (found.length && step) {
      this.active = (this.active + step + found.length) % found.length;
      this.paint();
    } else if (found.length && (isTab || event.key === "Enter")) this.take(found[this.active]);
    else if (event.key === "Escape") {
      this.offer(null);
      this.leaves = true; // with the next Tab
    } else if (isTab && this.word() !== null) {
      const from = this.word();
      this.offer(from);
      if (!this.found.length) return;
      if (this.found.length === 1 && from < this.input.selectionStart) this.take(this.found[0]);
    } else return;
    event.preventDefault();
  }
}

export default widget(PromptBox);
