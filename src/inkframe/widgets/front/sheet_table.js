// A table with a window over any number of rows. Rows in view are asked for; all others are not on the page.

const OVERSCAN = 3;
const WIDTHS = { own: "minmax(90px, 1fr)", text: "minmax(220px, 3fr)", picture: "120px" };
const ACTS = { Enter: "open", e: "edit", r: "again", a: "approve", x: "reject" };
const [POSITION, CELLS, STATES] = [0, 1, 2]; // what a row holds, in this order

class Table extends LineWindow {
  constructor(model, pictures, el) {
    super(model, pictures, el, OVERSCAN);
    this.height = 104;
    this.head = make("div", { class: "ink-sheet-row ink-sheet-head", role: "row", "aria-rowindex": 1 });
    this.grid.className = "ink-view ink-sheet-view";
    this.grid.prepend(this.head);
    this.none.textContent = "No row has this status.";
    this.column = 0;
    this.rows = new Map();
    this.ends.push(follow(model, ["version", "columns", "count"], () => this.renew()));
  }

  renew() {
    this.columns = this.model.get("columns");
    this.made = this.columns.flatMap(([, kind], at) => (kind === "own" ? [] : [at]));
    this.count = this.model.get("count");
    this.current = Math.max(0, Math.min(this.current, this.count - 1));
    if (!this.made.includes(this.column)) this.column = this.made[0] ?? 0;
    this.grid.style.setProperty("--columns", this.columns.map(([, kind]) => WIDTHS[kind]).join(" "));
    this.head.replaceChildren(...this.columns.map(([name, kind], at) =>
      make("div", { role: "columnheader", "aria-colindex": at + 1, title: name, class: `ink-sheet-${kind}` }, name)));
    this.sizer.style.height = `${this.count * this.height}px`;
    mark(this.grid, "aria-rowcount", this.count + 1);
    mark(this.grid, "aria-colcount", this.columns.length);
    this.none.hidden = this.count > 0;
    this.asked = null;
    this.rows.clear();
    for (const [at, line] of this.lines) if (at >= this.count || line.childElementCount !== this.columns.length) this.remove(at, line);
    this.paint();
  }

  paint() {
    super.paint();
    for (const [at, line] of this.lines) {
      line.classList.toggle("ink-current", at === this.current);
      [...line.children].forEach((cell, place) => {
        const isCurrent = at === this.current && place === this.column;
        mark(cell, "aria-selected", String(isCurrent));
        if (isCurrent) mark(this.grid, "aria-activedescendant", cell.id);
      });
    }
  }

  line(at) {
    const [row, old] = [this.rows.get(at), this.lines.get(at)];
    if (old && !old.dirty && (old.row === row || !row)) return; // what is shown stays until what is new has come
    const line = make("div", { class: "ink-sheet-row", role: "row", "aria-rowindex": at + 2 });
    line.row = row;
    line.append(...this.columns.map((column, place) => this.cell(row, at, place, column)));
    this.place(at, line);
  }

  cell(row, at, place, [, kind]) {
    const cell = make("div", {
      id: `${this.id}-${at}-${place}`, role: "gridcell", class: `ink-sheet-${kind}`, "aria-colindex": place + 1,
    });
    Object.assign(cell.dataset, { at, place });
    if (!row) return cell;
    const [value, [state, words] = []] = [row[CELLS][place], row[STATES][place]];
    const text = make("div", { class: "ink-sheet-text", dir: "auto" }, value);
    cell.append(kind === "picture" && value ? this.picture(value, { alt: "" }, { class: "ink-sheet-blank" }) : text);
    if (words) cell.append(make("div", { class: `ink-sheet-state ink-sheet-${state}` }, words));
    return cell;
  }

  // --- what comes from the kernel ---

  ask() {
    const [top, bottom] = this.range();
    const missing = Array.from({ length: bottom - top }, (_, by) => top + by).filter((at) => !this.rows.has(at));
    const wanted = missing.length ? `${this.model.get("version")} ${missing[0]} ${missing.at(-1)}` : "";
    if (wanted && wanted !== this.asked) this.model.send({ kind: "window", from: missing[0], to: missing.at(-1) + 1 });
    this.asked = wanted;
    const keys = this.keys().filter((key) => !this.pictures.held.has(key));
    if (keys.length) this.model.send({ kind: "want", keys });
  }

  heed({ kind, version, from, rows }) {
    if (kind !== "rows" || version !== this.model.get("version")) return;
    rows.forEach((row, by) => this.rows.set(from + by, row));
    this.paint();
  }

  // The keys of the pictures on the page.
  keys() {
    const places = this.made.filter((at) => this.columns[at][1] === "picture");
    return [...this.lines.values()].flatMap(({ row }) => places.map((at) => row?.[CELLS][at])).filter(Boolean);
  }

  shows(key) {
    return this.keys().includes(key);
  }

  show() {
    for (const [at, line] of this.lines) line.dirty = this.rows.has(at);
    this.paint();
  }

  // --- what a person does ---

  cellOf(event) {
    return event.target.closest("[data-at]");
  }

  click(event) {
    const [head, cell] = [event.target.closest("[role=columnheader]"), this.cellOf(event)];
    if (head) this.model.send({ kind: "column", row: 0, column: head.textContent });
    if (!cell) return;
    this.grid.focus({ preventScroll: true });
    this.go(Number(cell.dataset.at), Number(cell.dataset.place));
  }

  press(event) {
    const by = this.strides()[event.key];
    const side = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || !(by || side || event.key in ACTS)) return false;
    if (event.key in ACTS) this.act(ACTS[event.key]);
    else this.go(this.current + (by ?? 0), this.made[this.made.indexOf(this.column) + (side ?? 0)]);
    return true;
  }

  go(index, column) {
    this.current = Math.max(0, Math.min(index, this.count - 1));
    if (this.made.includes(column)) this.column = column;
    this.reveal();
  }

  // A row that has not come yet is known by its place among those that are shown.
  act(kind) {
    const row = this.lines.get(this.current)?.row?.[POSITION] ?? null;
    const [column] = this.columns[this.column] ?? [];
    if (this.made.length) this.model.send({ kind, row, at: this.current, version: this.model.get("version"), column });
  }
}

export default () => pictureWidget("ink-sheet-table", Table);
