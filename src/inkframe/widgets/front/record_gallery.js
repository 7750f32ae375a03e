// A gallery of pictures, or a list of texts: one grid with a window over any number of rows. What is in view asks for
// its pictures.

const GAP = 14;
const WORDS = 62; // below a picture, with names on one line
const SECOND_LINE = 21;
const ASIDE = 58; // pixels of a line in a list that are not for its name
const PADDING = 4; // left and right of the name of a tile
const LINE = 54;
const LEAST_PAIR = 240; // pixels in which two pictures stand side by side, however large they should be
const OVERSCAN = 1;
const MOST_WANTED = 24; // pictures in one message
const [KEY, NAME, WORD, FAVORITE, ALT, LEAVING, SHORT] = [0, 1, 2, 3, 4, 5, 6]; // what a row holds, in this order

class Gallery extends LineWindow {
  constructor(model, pictures, el) {
    super(model, pictures, el, OVERSCAN);
    this.anchor = 0;
    this.large = new Map(); // addresses of large pictures by key, while one is shown
    this.tools = this.makeTools();
    el.prepend(this.tools);
    mark(this.grid, "aria-multiselectable", "true");
    this.grid.addEventListener("focus", () => this.reveal());
    this.ends.push(
      follow(model, ["rows", "shape"], () => this.renew()),
      follow(model, ["size"], () => ((this.width = 0), this.measure())),
      follow(model, ["chosen"], () => this.markAll()),
    );
  }

  heed(message, buffers) {
    if (message.kind === "large") this.takeLarge(message, buffers);
    if (message.kind === "row") this.renewRow(message.row);
    if (message.kind === "rename") this.rename(message.key);
  }

  // --- what is where ---

  renew() {
    this.isList = this.model.get("shape") === "list";
    this.grid.className = `ink-view ink-view-${this.model.get("shape")}`;
    const key = this.rows?.[this.current]?.[KEY]; // the cursor stays where it was, in whatever order
    this.rows = this.model.get("rows");
    const at = this.rows.findIndex((row) => row[KEY] === key);
    this.current = at < 0 ? Math.min(this.current, Math.max(0, this.rows.length - 1)) : at;
    this.anchor = this.current;
    this.grid.hidden = !this.rows.length;
    this.tools.hidden = this.isList || !this.rows.length;
    this.none.hidden = !!this.rows.length;
    this.none.textContent = this.model.get("empty");
    this.grid.scrollTop = 0;
    this.width = this.height = 0;
    this.clear();
    this.measure();
  }

  clear() {
    for (const line of this.lines.values()) line.remove();
    this.lines.clear();
  }

  measure() {
    const width = this.sizer.clientWidth;
    if (!width || width === this.width) return;
    this.width = width;
    const size = this.model.get("size");
    const least = width < LEAST_PAIR ? 1 : 2;
    this.columns = this.isList ? 1 : Math.max(least, Math.floor((width + GAP) / (size + GAP)));
    this.tile = (width - GAP * (this.columns - 1)) / this.columns;
    const room = this.isList ? width - ASIDE : this.tile - PADDING;
    const { fontSize, fontFamily } = getComputedStyle(this.grid);
    const pen = Object.assign(document.createElement("canvas").getContext("2d"), { font: `600 ${fontSize} ${fontFamily}` });
    const wraps = this.rows.some((row) => pen.measureText(row[SHORT]).width > room);
    this.height = (this.isList ? LINE : this.tile + WORDS) + (wraps ? SECOND_LINE : 0);
    this.grid.style.setProperty("--line", `${this.height}px`);
    this.count = Math.ceil(this.rows.length / this.columns);
    this.sizer.style.height = `${this.count * this.height}px`;
    this.grid.style.setProperty("--tile", `${this.tile}px`);
    mark(this.grid, "aria-rowcount", this.count);
    mark(this.grid, "aria-colcount", this.columns);
    this.clear();
    this.paint();
  }

  currentLine() {
    return Math.floor(this.current / this.columns);
  }

  line(at) {
    if (this.lines.has(at)) return;
    const line = make("div", { class: "ink-tile-row", role: "row", "aria-rowindex": at + 1 });
    for (let column = 0; column < this.columns; column++) {
      const index = at * this.columns + column;
      if (index < this.rows.length) line.append(this.cell(index, column));
    }
    this.place(at, line);
  }

  cell(index, column) {
    const row = this.rows[index];
    const star = make("span", { class: "ink-star", "aria-hidden": "true" }, row[FAVORITE] ? "★" : "☆");
    mark(star, "title", row[FAVORITE] ? "Remove from favorites (f)" : "Mark as favorite (f)");
    const name = make("div", { class: "ink-name", dir: "auto", title: row[NAME] }, row[SHORT]);
    const below = row[LEAVING] ? "marked for deletion" : row[WORD];
    const words = make("div", { class: "ink-words" }, name, make("div", { class: "ink-meta", dir: "auto", title: below }, below));
    const cell = make("div", {
      id: `${this.id}-${index}`,
      class: row[LEAVING] ? "ink-tile ink-leaving" : "ink-tile",
      role: "gridcell",
      "aria-colindex": column + 1,
      "aria-label": [row[ALT], row[WORD], row[FAVORITE] && "favorite", row[LEAVING] && "marked for deletion"]
        .filter(Boolean).join(", "),
    });
    cell.dataset.index = index;
    if (!this.isList) cell.append(this.pictureOf(row));
    cell.append(words, star);
    cell.classList.toggle("ink-starred", row[FAVORITE]);
    this.mark(cell);
    return cell;
  }

  pictureOf(row) {
    return this.picture(row[KEY], { alt: row[ALT] }, { class: "ink-blank", role: "img", "aria-label": row[ALT] });
  }

  mark(cell) {
    const index = Number(cell.dataset.index);
    const chosen = this.model.get("chosen").includes(this.rows[index][KEY]);
    mark(cell, "aria-selected", String(chosen));
    cell.classList.toggle("ink-current", index === this.current);
    if (index === this.current) mark(this.grid, "aria-activedescendant", cell.id);
  }

  cells() {
    return [...this.lines.values()].flatMap((line) => [...line.children]);
  }

  markAll() {
    this.cells().forEach((cell) => this.mark(cell));
  }

  renewRow(row) {
    const index = this.rows.findIndex((each) => each[KEY] === row[KEY]);
    if (index < 0) return;
    this.rows[index] = row;
    const old = this.cells().find((cell) => Number(cell.dataset.index) === index);
    old?.replaceWith(this.cell(index, index % this.columns));
    this.drawLarge?.();
  }

  // --- pictures ---

  visible() {
    const [top, bottom] = this.range();
    return this.rows.slice(top * this.columns, bottom * this.columns);
  }

  shows(key) {
    return this.cells().some((cell) => this.rows[cell.dataset.index]?.[KEY] === key);
  }

  ask() {
    if (this.isList || !this.grid.isConnected) return;
    const missing = this.visible().map((row) => row[KEY]).filter((key) => !this.pictures.held.has(key));
    const wanted = missing.slice(0, MOST_WANTED);
    if (wanted.length && wanted.join() !== this.asked) this.model.send({ kind: "want", keys: wanted });
    this.asked = wanted.join();
  }

  show(keys) {
    const arrived = new Set(keys);
    for (const cell of this.cells()) {
      const row = this.rows[cell.dataset.index];
      if (arrived.has(row[KEY])) cell.firstChild.replaceWith(this.pictureOf(row));
    }
    const open = this.asked?.split(",").some((key) => !this.pictures.held.has(key));
    if (!open) this.ask();
  }

  // --- the large view ---

  makeTools() {
    const size = make("input", { type: "range", min: 80, max: 320, step: 20, value: this.model.get("size"), "aria-label": "Thumbnail size" });
    size.addEventListener("input", () => {
      this.model.set("size", Number(size.value));
      this.model.save_changes();
    });
    const open = make("button", { type: "button", class: "ink-link" }, "Large view (l)");
    open.addEventListener("click", () => this.openLarge());
    return make("div", { class: "ink-tools" }, make("label", {}, "Size ", size), open);
  }

  // The picture at the cursor, which moves on with the selection; other keys act as they do in the gallery.
  openLarge() {
    if (this.isList || !this.rows.length) return;
    this.choose([this.rows[this.current][KEY]]);
    this.drawLarge = showLarge(this.el, {
      label: "Large view",
      step: (by) => this.move(by, {}),
      press: (event) => !["r", "F2", "l"].includes(event.key) && this.press(event),
      paint: () => this.paintLarge(),
      closed: () => {
        this.drawLarge = null;
        for (const { url } of this.large.values()) URL.revokeObjectURL(url);
        this.large.clear();
        this.grid.focus({ preventScroll: true });
      },
    });
  }

  paintLarge() {
    const row = this.rows[this.current];
    if (!this.large.has(row[KEY])) {
      this.large.set(row[KEY], {});
      this.model.send({ kind: "large", keys: [row[KEY]] });
    }
    const { url = this.pictures.held.get(row[KEY])?.url, reason } = this.large.get(row[KEY]);
    const picture = url ? make("img", { src: url, alt: row[ALT] }) : make("p", {}, reason ?? "Loading…");
    const words = [row[FAVORITE] && "★", row[LEAVING] ? "marked for deletion" : row[WORD], `${this.current + 1} of ${this.rows.length}`];
    return [row[NAME], picture, make("p", { class: "ink-meta" }, words.filter(Boolean).join(" · "))];
  }

  takeLarge({ key, reason }, buffers) {
    if (!this.drawLarge) return;
    this.large.set(key, reason === null ? { url: URL.createObjectURL(new Blob(buffers)) } : { reason });
    if (this.rows[this.current]?.[KEY] === key) this.drawLarge();
  }

  // --- what a person does ---

  cellOf(event) {
    return event.target.closest(".ink-tile");
  }

  click(event) {
    const cell = this.cellOf(event);
    if (!cell || event.target.tagName === "INPUT") return;
    const index = Number(cell.dataset.index);
    this.grid.focus({ preventScroll: true });
    if (event.target.matches(".ink-star")) {
      const key = this.rows[index][KEY];
      this.model.send({ kind: "star", keys: [key], key });
      this.go(index);
      return;
    }
    if (event.shiftKey) this.choose(this.between(this.anchor, index));
    else if (event.ctrlKey || event.metaKey) this.toggle(index);
    else this.choose([this.rows[index][KEY]]);
    if (!event.shiftKey) this.anchor = index;
    this.go(index);
  }

  // Does what a key means; false for one that means nothing here.
  press(event) {
    const moves = { ArrowLeft: -1, ArrowRight: 1, ...this.strides(this.columns) };
    const acts = { Enter: "open", f: "favorite", d: "delete", Delete: "delete", ...this.model.get("acts") };
    if (event.key in moves) this.move(moves[event.key], event);
    else if ((event.ctrlKey || event.metaKey) && event.key === "a") this.choose(this.rows.map((row) => row[KEY]));
    else if (event.ctrlKey || event.metaKey || event.altKey) return false;
    else if (event.key === " ") this.toggle(this.current);
    else if (event.key === "Escape") this.choose([]);
    else if (event.key === "r" || event.key === "F2") this.beginRename();
    else if (event.key === "l" && !this.isList) this.openLarge();
    else if (event.key in acts) this.act(acts[event.key]);
    else return false;
    return true;
  }

  // Moves the selection; Shift extends it, and Ctrl leaves it where it is.
  move(by, { shiftKey, ctrlKey, metaKey }) {
    const index = Math.min(Math.max(this.current + by, 0), this.rows.length - 1);
    if (shiftKey) this.choose(this.between(this.anchor, index));
    else if (!ctrlKey && !metaKey) {
      this.anchor = index;
      this.choose([this.rows[index][KEY]]);
    }
    this.go(index);
  }

  go(index) {
    this.current = index;
    this.reveal();
    this.markAll();
  }

  between(one, other) {
    const [from, to] = [Math.min(one, other), Math.max(one, other)];
    return this.rows.slice(from, to + 1).map((row) => row[KEY]);
  }

  toggle(index) {
    const key = this.rows[index][KEY];
    const chosen = this.model.get("chosen");
    this.anchor = index;
    this.choose(chosen.includes(key) ? chosen.filter((each) => each !== key) : [...chosen, key]);
  }

  choose(keys) {
    this.model.set("chosen", keys);
    this.model.save_changes();
  }

  // The keys may be ahead of the kernel, which decides what is shown of them.
  act(kind) {
    if (kind === "open" && this.rows.length) this.choose([this.rows[this.current][KEY]]); // what is opened is selected, too
    this.model.send({ kind, keys: this.model.get("chosen"), key: this.rows[this.current]?.[KEY] });
  }

  // At once where one tile is all that is chosen, for whoever types on; else the kernel knows whether one is shown.
  beginRename() {
    const chosen = this.model.get("chosen");
    if (chosen.length === 1 && this.rows.some((row) => row[KEY] === chosen[0])) this.rename(chosen[0]);
    else this.act("r");
  }

  rename(key) {
    const index = this.rows.findIndex((row) => row[KEY] === key);
    if (index < 0) return;
    this.go(index);
    const cell = this.cells().find((each) => Number(each.dataset.index) === index);
    const old = this.rows[index][NAME];
    editInPlace(cell.querySelector(".ink-name"), "New name", old, (name) => {
      this.grid.focus({ preventScroll: true });
      if (name && name !== old) this.model.send({ kind: "rename", keys: [key], key, name });
    });
  }
}

export default () => pictureWidget("ink-record-gallery", Gallery);
