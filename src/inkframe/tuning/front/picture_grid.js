// Pictures by row and column, one table a section. Each cell is a button: an empty one makes its picture, a
// full one shows it large. The arrows move between them, so that Tab passes the whole grid in one step.

const MOST_WANTED = 24; // pictures in one message
const NO_PICTURE = "⊘"; // made, but its picture cannot be shown
const FACE = { empty: "+", waiting: "·", working: "…", failed: "!", unknown: "?" };

class Grid {
  constructor(model, pictures, el) {
    Object.assign(this, { model, pictures, el });
    this.buttons = new Map();
    this.current = null;
    pictures.views.add(this);
    this.ends = [follow(model, ["layout_number"], () => this.build())];
    this.onMessage = (message) => {
      if (message.kind === "cell") this.renew(message.key, message.cell);
    };
    model.on("msg:custom", this.onMessage);
    el.addEventListener("keydown", (event) => this.key(event));
  }

  end() {
    this.model.off("msg:custom", this.onMessage);
    this.pictures.views.delete(this);
    this.ends.forEach((end) => end());
  }

  build() {
    const focused = this.el.contains(document.activeElement);
    this.buttons.clear();
    this.pictures.clear();
    const tables = this.model.get("sections").map((section) => this.table(section));
    this.el.replaceChildren(...tables);
    this.enter(this.buttons.has(this.current) ? this.current : [...this.buttons.keys()][0], focused);
    this.asked = "";
    this.ask();
  }

  table([section, title]) {
    const columns = this.model.get("columns");
    const heads = columns.map(([, label]) => make("th", { scope: "col" }, label));
    const body = this.model.get("rows").map(([row, label]) => {
      const cells = columns.map(([column]) => make("td", {}, this.button(`${column}|${row}|${section}`)));
      return make("tr", {}, make("th", { scope: "row" }, label), ...cells);
    });
    const caption = make("caption", {}, title);
    caption.hidden = !title;
    const head = make("thead", {}, make("tr", {}, make("td"), ...heads));
    const table = make("table", { role: "grid", "aria-label": title || "Looks" }, caption, head, make("tbody", {}, ...body));
    table.style.setProperty("--columns", columns.length);
    return make("div", { class: "ink-looks" }, table);
  }

  button(key) {
    const button = make("button", { type: "button", tabindex: -1, "data-key": key });
    button.addEventListener("click", () => {
      this.enter(key, false);
      this.model.send({ kind: "press", key });
    });
    button.addEventListener("focus", () => this.enter(key, false));
    this.buttons.set(key, button);
    this.face(key);
    return button;
  }

  // How a cell looks and what it is called.
  face(key) {
    const button = this.buttons.get(key);
    const cell = this.model.get("cells")[key] ?? { state: "empty", label: key };
    const url = this.pictures.held.get(key)?.url;
    button.className = `ink-cell-${cell.state}${cell.chosen ? " ink-on" : ""}`;
    mark(button, "title", cell.reason || null);
    mark(button, "aria-label", cell.label);
    const star = cell.favorite ? [make("span", { class: "ink-star", "aria-hidden": "true" }, "★")] : [];
    if (cell.state === "done" && url) {
      button.replaceChildren(make("img", { src: url, alt: cell.label, decoding: "async" }), ...star);
    } else button.replaceChildren(FACE[cell.state] ?? (cell.reason ? NO_PICTURE : ""), ...star);
  }

  renew(key, cell) {
    this.model.get("cells")[key] = cell;
    if (cell.state !== "done") this.pictures.drop(key);
    if (this.buttons.has(key)) this.face(key);
    this.ask();
  }

  ask() {
    const cells = this.model.get("cells");
    const missing = [...this.buttons.keys()].filter((key) => cells[key]?.state === "done" && !this.pictures.held.has(key));
    const keys = missing.slice(0, MOST_WANTED);
    if (keys.length && keys.join() !== this.asked) this.model.send({ kind: "want", keys });
    this.asked = keys.join();
  }

  show(keys) {
    keys.filter((key) => this.buttons.has(key)).forEach((key) => this.face(key));
    this.ask();
  }

  shows(key) {
    return this.buttons.has(key);
  }

  // Makes a cell the one that Tab enters.
  enter(key, focus) {
    for (const button of this.buttons.values()) button.tabIndex = -1;
    const button = this.buttons.get(key);
    if (!button) return;
    this.current = key;
    button.tabIndex = 0;
    if (focus) button.focus();
  }

  key(event) {
    const width = this.model.get("columns").length;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width }[event.key];
    if (!step) return;
    const keys = [...this.buttons.keys()];
    const next = keys[keys.indexOf(this.current) + step];
    if (next !== undefined) this.enter(next, true);
    event.preventDefault();
    event.stopPropagation();
  }
}

export default () => pictureWidget("ink-grid", Grid);
