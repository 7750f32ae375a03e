// A table with a window over any number of rows. Rows in view are asked for; all others are not on the page.

const LINE = 104; // pixels of a row
const OVERSCAN = 3;
const SETTLE = 60; // milliseconds without scrolling before rows and pictures are asked for
const [POSITION, CELLS, STATES] = [0, 1, 2]; // what a row holds, in this order

class Table {
  constructor(model, pictures, el) {
    this.model = model;
    this.pictures = pictures;
    this.id = `ink-sheet-${Math.random().toString(36).slice(2)}`;
    this.head = make("div", { class: "ink-sheet-row ink-sheet-head", role: "row", "aria-rowindex": 1 });
    this.sizer = make("div", { class: "ink-sizer", role: "presentation" });
    this.grid = make("div", {
      class: "ink-view ink-sheet-view", role: "grid", tabindex: 0, "aria-label": model.get("label"),
      "data-lm-suppress-shortcuts": "true",
    });
    this.none = make("p", { class: "ink-hint" }, "No row has this status.");
    this.grid.append(this.head, this.sizer);
    el.append(this.grid, this.none);
    this.current = 0;
    this.column = 0;
    this.lines = new Map();
    this.rows = new Map();
    this.grid.addEventListener("scroll", () => this.paint());
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("click", (event) => this.click(event));
    this.grid.addEventListener("dblclick", (event) => this.place(event) && this.act("open"));
    this.resize = new ResizeObserver(() => this.paint());
    this.resize.observe(this.grid);
    this.onMessage = (message) => {
      if (message.kind === "rows" && message.version === model.get("version")) this.take(message.from, message.rows);
    };
    model.on("msg:custom", this.onMessage);
    pictures.views.add(this);
    this.unfollow = follow(model, ["version", "columns", "count"], () => this.renew());
  }

  end() {
    this.unfollow();
    this.resize.disconnect();
    clearTimeout(this.timer);
    this.model.off("msg:custom", this.onMessage);
    this.pictures.views.delete(this);
  }

  renew() {
    this.columns = this.model.get("columns");
    this.made = this.columns.flatMap(([, kind], at) => (kind === "own" ? [] : [at]));
    this.count = this.model.get("count");
    this.current = Math.min(this.current, Math.max(0, this.count - 1));
    if (!this.made.includes(this.column)) this.column = this.made[0] ?? 0;
    const width = ([, kind]) => ({ own: "minmax(90px, 1fr)", text: "minmax(220px, 3fr)", picture: "120px" })[kind];
    this.grid.style.setProperty("--columns", this.columns.map(width).join(" "));
    this.head.replaceChildren(...this.columns.map(([name, kind], at) =>
      make("div", { role: "columnheader", "aria-colindex": at + 1, title: name, class: `ink-sheet-${kind}` }, name)));
    this.sizer.style.height = `${this.count * LINE}px`;
    mark(this.grid, "aria-rowcount", this.count + 1);
    mark(this.grid, "aria-colcount", this.columns.length);
    this.none.hidden = this.count > 0;
    this.asked = null;
    this.rows.clear();
    for (const [at, line] of this.lines) if (at >= this.count || line.childElementCount !== this.columns.length) this.remove(at, line);
    this.paint();
  }

  range() {
    const top = Math.floor(this.grid.scrollTop / LINE) - OVERSCAN;
    const bottom = Math.ceil((this.grid.scrollTop + this.grid.clientHeight) / LINE) + OVERSCAN;
    return [Math.max(0, top), Math.min(this.count, bottom)];
  }

  paint() {
    const [top, bottom] = this.range();
    for (const [at, line] of this.lines) {
      if ((at < top || at >= bottom) && at !== this.current) this.remove(at, line);
    }
    for (let at = top; at < bottom; at++) this.line(at);
    if (this.count) this.line(this.current);
    this.markAll();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(top, bottom), this.asked ? SETTLE : 0);
  }

  remove(at, line) {
    line.remove();
    this.lines.delete(at);
  }

  line(at) {
    const [row, old] = [this.rows.get(at), this.lines.get(at)];
    if (old && !old.dirty && (old.row === row || !row)) return; // what is shown stays until what is new has come
    const line = make("div", { class: "ink-sheet-row", role: "row", "aria-rowindex": at + 2 });
    line.style.transform = `translateY(${at * LINE}px)`;
    line.row = row;
    line.append(...this.columns.map((column, place) => this.cell(row, at, place, column)));
    if (old) old.replaceWith(line);
    else this.sizer.append(line);
    this.lines.set(at, line);
  }

  cell(row, at, place, [, kind]) {
    const cell = make("div", {
      id: `${this.id}-${at}-${place}`, role: "gridcell", class: `ink-sheet-${kind}`, "aria-colindex": place + 1,
    });
    Object.assign(cell.dataset, { at, place });
    if (!row) return cell;
    const [state, words] = row[STATES][place] ?? ["", ""];
    const value = row[CELLS][place];
    if (kind === "picture" && value) cell.append(this.picture(String(value)));
    else cell.append(make("div", { class: "ink-sheet-text", dir: "auto" }, kind === "picture" ? "" : value));
    if (words) cell.append(make("div", { class: `ink-sheet-state ink-sheet-${state}` }, words));
    return cell;
  }

  picture(key) {
    const held = this.pictures.held.get(key);
    if (held?.url) return make("img", { src: held.url, alt: "", decoding: "async", draggable: "false" });
    return make("div", { class: "ink-sheet-blank" }, held?.reason ?? "");
  }

  markAll() {
    for (const [at, line] of this.lines) {
      line.classList.toggle("ink-current", at === this.current);
      [...line.children].forEach((cell, place) => {
        const isCurrent = at === this.current && place === this.column;
        mark(cell, "aria-selected", String(isCurrent));
        if (isCurrent) mark(this.grid, "aria-activedescendant", cell.id);
      });
    }
  }

  // --- what comes from the kernel ---

  ask(top, bottom) {
    const missing = Array.from({ length: bottom - top }, (_, by) => top + by).filter((at) => !this.rows.has(at));
    const wanted = missing.length ? `${this.model.get("version")} ${missing[0]} ${missing.at(-1)}` : "";
    if (wanted && wanted !== this.asked) this.model.send({ kind: "window", from: missing[0], to: missing.at(-1) + 1 });
    this.asked = wanted;
    const keys = this.keys().filter((key) => !this.pictures.held.has(key));
    if (keys.length) this.model.send({ kind: "want", keys });
  }

  take(from, rows) {
    rows.forEach((row, by) => this.rows.set(from + by, row));
    this.paint();
  }

  keys() {
    const rows = [...this.lines.values()].map((line) => line.row).filter(Boolean);
    const places = this.made.filter((at) => this.columns[at][1] === "picture");
    return rows.flatMap((row) => places.map((at) => row[CELLS][at])).filter(Boolean).map(String);
  }

  shows(key) {
    return this.keys().includes(key);
  }

  show() {
    for (const [at, line] of this.lines) line.dirty = this.rows.has(at);
    this.paint();
  }

  // --- what a person does ---

  place(event) {
    const cell = event.target.closest("[data-at]");
    return cell && [Number(cell.dataset.at), Number(cell.dataset.place)];
  }

  click(event) {
    const head = event.target.closest("[role=columnheader]");
    if (head) this.model.send({ kind: "column", row: 0, column: head.textContent });
    const place = this.place(event);
    if (!place) return;
    this.grid.focus({ preventScroll: true });
    if (this.made.includes(place[1])) this.column = place[1];
    this.go(place[0]);
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.grid.clientHeight / LINE) - 1);
    const moves = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -this.count, End: this.count };
    const sides = { ArrowLeft: -1, ArrowRight: 1 };
    const acts = { Enter: "open", e: "edit", r: "again", a: "approve", x: "reject" };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in moves) this.go(this.current + moves[event.key]);
    else if (event.key in sides) this.side(sides[event.key]);
    else if (event.key in acts) this.act(acts[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  side(by) {
    this.column = this.made[this.made.indexOf(this.column) + by] ?? this.column;
    this.markAll();
  }

  go(index) {
    this.current = Math.min(Math.max(index, 0), Math.max(0, this.count - 1));
    const [top, room] = [this.current * LINE, this.grid.clientHeight - this.head.offsetHeight - LINE];
    this.grid.scrollTop = Math.min(top, Math.max(this.grid.scrollTop, top - room));
    this.paint();
  }

  // A row that has not come yet is known by its place among those that are shown.
  act(kind) {
    const row = this.lines.get(this.current)?.row?.[POSITION] ?? null;
    const [column] = this.columns[this.column] ?? [];
    if (this.made.length) this.model.send({ kind, row, at: this.current, version: this.model.get("version"), column });
  }
}

export default () => pictureWidget("ink-sheet-table", Table);
