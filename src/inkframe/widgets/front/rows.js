// Rows of any number: tiles of a gallery, lines of a list, of a table, or of a grid of looks. The kernel draws them. What
// is in view is asked for, with its pictures; everything else is not on the page.

const SETTLE = 60; // milliseconds without scrolling before anything is asked for
const OVERSCAN = 2; // lines
const MOST_WANTED = 24; // pictures in one message
const KEPT_PICTURES = 320; // held at once: many screens full
const GAP = 14;
const WORDS = 62; // below a picture, with names on one line
const SECOND_LINE = 21;
const SHAPES = { gallery: "ink-gallery-view", list: "ink-list", table: "ink-table-view", looks: "ink-looks" };
const LINES = { list: 54, table: 104 }; // pixels of a line
const ASIDE = 58; // pixels of a line in a list that are not for its name
const PADDING = 4; // left and right of the name of a tile
const LEAST_PAIR = 240; // pixels in which two pictures stand side by side, however large they should be
const [SIDE, LEAST_LOOK, MOST_LOOK] = [82, 84, 220]; // pixels of the names of lines in a grid of looks, and of its pictures
const LARGE = "large "; // before the key of a picture that is held for the large view
const BLANK = '<div class="ink-tile" role="gridcell"></div>';

class Rows extends View {
  constructor(model, el) {
    super(model, el);
    Object.assign(this, { id: newId(), current: 0, anchor: 0, lines: new Map(), html: new Map(), held: new Map() });
    el.classList.add("ink-rows");
    this.tools = this.makeTools();
    this.head = make("div", { class: "ink-head", role: "row", "aria-rowindex": 1 });
    this.sizer = make("div", { class: "ink-sizer", role: "presentation" });
    const acts = {
      onscroll: () => this.paint(),
      onfocus: () => this.reveal(),
      onclick: (event) => this.click(event),
      ondblclick: ({ target }) => target.closest("[data-key]") && model.get("acts").Enter === "open" && this.act("open"),
      onkeydown: (event) => event.target === this.grid && this.press(event) && event.preventDefault(),
    };
    this.grid = make("div", { role: "grid", tabindex: 0, ...acts }, this.head, this.sizer);
    this.none = make("p", { class: "ink-hint" });
    el.append(this.tools, this.grid, this.none);
    this.watch(new ResizeObserver(() => this.measure()), this.grid);
    this.heed((message, buffers) => this.take(message, buffers));
    this.follow(["label"], (label) => mark(this.grid, "aria-label", label));
    this.follow(["version", "shape"], () => this.renew());
    this.follow(["size"], () => ((this.width = 0), this.measure()));
    this.follow(["chosen"], () => this.markAll());
    this.ends.push(() => clearTimeout(this.timer));
  }

  take(message, buffers) {
    const { kind, version, from, rows } = message;
    if (kind === "rows" && version === this.model.get("version")) {
      rows.forEach((html, by) => {
        this.html.set(from + by, html);
        Object.assign(this.lines.get(Math.floor((from + by) / this.span)) ?? {}, { isOld: true });
      });
      this.paint();
    }
    if (kind === "pictures") this.takePictures(message, buffers);
    if (kind === "rename") this.rename(message.key);
    this.drawLarge?.();
  }

  // --- what is where ---

  renew() {
    const { model } = this;
    const [before, key] = [this.ids?.join(), this.keyAt(this.current)];
    Object.assign(this, { shape: model.get("shape"), ids: model.get("ids") });
    this.byLine = ["table", "looks"].includes(this.shape); // else a line has as many rows as there is room for
    this.grid.className = `ink-view ${SHAPES[this.shape]}`;
    mark(this.grid, "aria-multiselectable", this.byLine ? null : "true");
    this.head.innerHTML = model.get("head"); // made safe by the kernel
    this.head.hidden = !this.head.querySelector("[role=columnheader]");
    const [old, stops] = [this.shape === "table" && this.names, [...this.head.querySelectorAll("[data-column]")]];
    this.names = stops.map(({ dataset }) => dataset.column);
    const fresh = old && stops.find(({ dataset }) => !old.includes(dataset.column)); // a new column, which the cursor goes to
    if (fresh) this.current = Math.floor(this.current / this.columns) * stops.length + stops.indexOf(fresh);
    if (this.byLine) this.columns = Math.max(1, stops.length);
    this.html = new Map(model.get("first").map((html, at) => [at, html]));
    const isSame = before === this.ids.join();
    for (const [at, line] of this.lines) {
      if (isSame && at < this.ids.length && (this.shape === "table" || line.contains(this.naming))) line.isOld = true; // until the new is here
      else this.remove(at, line);
    }
    const at = this.ids.indexOf(key); // the cursor stays where it was, in whatever order
    if (at >= 0 && !isSame) this.current = this.byLine ? at * this.columns + (this.current % this.columns) : at;
    this.current = Math.max(0, Math.min(this.current, this.total - 1));
    if (!isSame) {
      this.anchor = this.current;
      this.grid.scrollTop = 0;
    }
    const isEmpty = !this.ids.length;
    Object.assign(this.none, { hidden: !isEmpty, textContent: model.get("empty") });
    this.grid.hidden = isEmpty && !this.byLine;
    this.tools.hidden = isEmpty || this.shape !== "gallery";
    [this.asked, this.width] = [null, 0];
    this.measure();
    if (fresh) this.reveal(fresh);
  }

  get total() {
    return this.byLine ? this.ids.length * this.columns : this.ids.length;
  }

  measure() {
    const width = this.sizer.clientWidth;
    if (!width || width === this.width) return this.paint();
    const size = this.model.get("size");
    const [isList, isLooks] = [this.shape === "list", this.shape === "looks"];
    this.width = width;
    if (!this.byLine) this.columns = isList ? 1 : Math.max(width < LEAST_PAIR ? 1 : 2, Math.floor((width + GAP) / (size + GAP)));
    this.span = this.byLine ? 1 : this.columns;
    this.tile = (width - GAP * (this.columns - 1)) / this.columns;
    if (isLooks) this.tile = Math.min(MOST_LOOK, Math.max(LEAST_LOOK, (width - SIDE) / this.columns - GAP));
    const { fontSize, fontFamily } = getComputedStyle(this.grid);
    const pen = Object.assign(document.createElement("canvas").getContext("2d"), { font: `600 ${fontSize} ${fontFamily}` });
    const room = isList ? width - ASIDE : this.tile - PADDING;
    const wraps = this.model.get("longest").some((name) => pen.measureText(name).width > room);
    this.height = LINES[this.shape] ?? this.tile + (isLooks ? GAP : WORDS);
    if (wraps && !this.byLine) this.height += SECOND_LINE;
    const columns = isLooks ? `${SIDE}px repeat(${this.columns}, var(--tile))` : this.model.get("columns");
    const sizes = { line: `${this.height}px`, tile: `${this.tile}px`, columns };
    for (const [name, value] of Object.entries(sizes)) this.grid.style.setProperty(`--${name}`, value);
    this.count = Math.ceil(this.ids.length / this.span);
    this.sizer.style.height = `${this.count * this.height}px`;
    mark(this.grid, "aria-rowcount", this.count + (this.byLine ? 1 : 0));
    mark(this.grid, "aria-colcount", this.byLine ? this.head.childElementCount : this.columns);
    if (this.shape !== "table") for (const [at, line] of this.lines) if (!line.contains(this.naming)) this.remove(at, line);
    this.paint();
  }

  lineOf(index) {
    return Math.min(Math.floor(index / this.columns), this.count - 1);
  }

  range() {
    const top = Math.floor(this.grid.scrollTop / this.height) - OVERSCAN;
    const bottom = Math.ceil((this.grid.scrollTop + this.grid.clientHeight) / this.height) + OVERSCAN;
    return [Math.max(0, top), Math.min(this.count, bottom)];
  }

  paint() {
    if (!this.width) return;
    const [top, bottom] = this.range();
    const held = this.lineOf(this.current); // it carries the focus, wherever it is
    for (const [at, line] of this.lines) if ((at < top || at >= bottom) && at !== held) this.remove(at, line);
    for (let at = top; at < bottom; at++) this.draw(at);
    if (this.count) this.draw(held);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), this.asked ? SETTLE : 0);
  }

  draw(at) {
    const old = this.lines.get(at);
    if (old && (!old.isOld || old.contains(this.naming))) return; // a name that is typed stays
    const rows = this.ids.slice(at * this.span, (at + 1) * this.span).map((_, by) => this.html.get(at * this.span + by));
    if (old && rows.includes(undefined)) return;
    const line = make("div", { class: "ink-lane", role: "row", "aria-rowindex": at + (this.byLine ? 2 : 1) });
    line.innerHTML = rows.map((html) => html ?? (this.byLine ? "" : BLANK)).join(""); // made safe by the kernel
    line.isOld = rows.includes(undefined);
    [...line.children].forEach((cell, place) => mark(cell, "aria-colindex", place + 1));
    line.stops = [...line.children].filter((cell) => cell.dataset.key ?? !this.byLine);
    line.stops.forEach((cell, place) => {
      Object.assign(cell, { id: `${this.id}-${at}-${place}`, index: at * this.columns + place });
      this.mark(cell);
    });
    this.fill(line);
    line.style.transform = `translateY(${at * this.height}px)`;
    if (old) old.replaceWith(line);
    else this.sizer.insertBefore(line, this.lines.get(Math.min(...[...this.lines.keys()].filter((each) => each > at))) ?? null);
    this.lines.set(at, line);
  }

  remove(at, line) {
    line.remove();
    this.lines.delete(at);
  }

  cellAt(index) {
    return this.lines.get(this.lineOf(index))?.stops[index % this.columns];
  }

  // The key of what is shown at a place, or of what will be.
  keyAt(index) {
    return this.ids && (this.cellAt(index)?.dataset.key ?? this.ids[this.byLine ? this.lineOf(index) : index]);
  }

  mark(cell) {
    const isCurrent = cell.index === this.current;
    mark(cell, "aria-selected", String(this.model.get("chosen").includes(cell.dataset.key)));
    cell.classList.toggle("ink-current", isCurrent);
    if (isCurrent) mark(this.grid, "aria-activedescendant", cell.id);
  }

  markAll() {
    for (const [at, line] of this.lines) {
      line.stops.forEach((cell) => this.mark(cell));
      line.classList.toggle("ink-on", at === this.lineOf(this.current));
    }
  }

  reveal(place) {
    if (!this.width || !this.count) return;
    const top = this.lineOf(this.current) * this.height;
    const room = this.grid.clientHeight - this.head.offsetHeight;
    this.grid.scrollTop = Math.min(top, Math.max(this.grid.scrollTop, top + this.height - room));
    this.paint();
    const [cell, grid] = [place ?? this.cellAt(this.current), this.grid].map((each) => each?.getBoundingClientRect());
    if (cell) this.grid.scrollLeft += Math.min(0, cell.left - grid.left) + Math.max(0, cell.right - grid.right);
  }

  // --- what is asked for ---

  ask() {
    if (!this.grid.isConnected || !this.width) return;
    const [top, bottom] = this.range();
    const [from, to] = [top * this.span, Math.min(bottom * this.span, this.ids.length)];
    const version = this.model.get("version");
    const rows = Array.from({ length: Math.max(0, to - from) }, (_, by) => from + by).filter((at) => !this.html.has(at));
    const slots = [...this.lines].filter(([at]) => at >= top && at < bottom).flatMap(([, line]) => this.slots(line));
    const wanted = slots.map(({ dataset }) => dataset.picture).filter((key) => !this.held.has(key)).slice(0, MOST_WANTED);
    const asked = `${version} ${rows[0]} ${rows.at(-1)} ${wanted}`;
    if (asked === this.asked) return;
    if (rows.length) this.model.send({ kind: "window", version, from: rows[0], to: rows.at(-1) + 1 });
    if (wanted.length) this.model.send({ kind: "want", keys: wanted });
    Object.assign(this, { asked, wanted });
  }

  slots(line) {
    return this.shape === "list" ? [] : [...line.querySelectorAll("[data-picture]")];
  }

  // Puts the pictures that are here into their places.
  fill(line) {
    for (const slot of this.slots(line).filter(({ tagName }) => tagName !== "IMG")) {
      const { url, reason } = this.held.get(slot.dataset.picture) ?? {};
      if (reason) slot.textContent = reason;
      if (!url) continue;
      const attributes = { src: url, alt: slot.ariaLabel ?? "", class: "ink-pic", decoding: "async", draggable: "false" };
      slot.replaceWith(make("img", { ...attributes, "data-picture": slot.dataset.picture }));
    }
  }

  takePictures({ keys, reasons, large }, buffers) {
    if (large && !this.drawLarge) return;
    let at = 0;
    for (const key of keys) {
      const place = large ? LARGE + key : key;
      this.drop(place);
      this.held.set(place, key in reasons ? { reason: reasons[key] } : { url: this.address(buffers[at++]) });
    }
    if (large) return;
    for (const line of this.lines.values()) this.fill(line);
    const shown = new Set([...this.lines.values()].flatMap((line) => this.slots(line)).map(({ dataset }) => dataset.picture));
    const passed = [...this.held.keys()].filter((key) => !shown.has(key) && !key.startsWith(LARGE));
    passed.slice(0, Math.max(0, this.held.size - KEPT_PICTURES)).forEach((key) => this.drop(key));
    if (this.wanted?.every((key) => this.held.has(key))) this.ask();
  }

  drop(key) {
    this.release([this.held.get(key)?.url]);
    this.held.delete(key);
  }

  // --- the large view ---

  makeTools() {
    const oninput = ({ target }) => this.change("size", Number(target.value));
    const range = { type: "range", min: 80, max: 320, step: 20, value: this.model.get("size") };
    const size = make("input", { ...range, "aria-label": "Thumbnail size", oninput });
    return make("div", { class: "ink-tools" }, make("label", {}, "Size ", size), button("Large view (l)", () => this.openLarge()));
  }

  // The picture at the cursor, which moves on with the selection; other keys act as they do in the gallery.
  openLarge() {
    if (this.tools.hidden) return;
    this.choose([this.keyAt(this.current)]);
    this.drawLarge = showLarge(this.el, {
      label: "Large view",
      step: (by) => this.move(by, {}),
      press: (event) => !["rename", "large"].includes(this.model.get("acts")[event.key]) && this.press(event),
      paint: () => this.paintLarge(),
      closed: () => {
        this.drawLarge = null;
        [...this.held.keys()].filter((key) => key.startsWith(LARGE)).forEach((key) => this.drop(key));
        this.grid.focus({ preventScroll: true });
      },
    });
  }

  paintLarge() {
    const [key, cell] = [this.keyAt(this.current), this.cellAt(this.current)];
    if (!this.held.has(LARGE + key)) {
      this.held.set(LARGE + key, {});
      this.model.send({ kind: "want", keys: [key], large: true });
    }
    const { url = this.held.get(key)?.url, reason } = this.held.get(LARGE + key);
    const [name, meta] = [".ink-name", ".ink-meta"].map((part) => cell?.querySelector(part)?.title ?? "");
    const picture = url ? make("img", { src: url, alt: cell?.ariaLabel ?? "" }) : make("p", {}, reason ?? "Loading…");
    const words = [cell?.matches(".ink-starred") && "★", meta, `${this.current + 1} of ${this.ids.length}`];
    return [name, picture, make("p", { class: "ink-meta" }, words.filter(Boolean).join(" · "))];
  }

  // --- what a person does ---

  click(event) {
    const [cell, place] = ["[data-key]", "[data-act]"].map((each) => event.target.closest(each));
    if (event.target.tagName === "INPUT") return;
    if (place && !cell) this.model.send({ kind: place.dataset.act, keys: [], key: null, column: place.dataset.column });
    if (!cell) return;
    this.grid.focus({ preventScroll: true });
    if (!place && !this.byLine) {
      if (event.shiftKey) this.choose(this.between(this.anchor, cell.index));
      else if (event.ctrlKey || event.metaKey) this.toggle(cell.index);
      else this.choose([cell.dataset.key]);
      if (!event.shiftKey) this.anchor = cell.index;
    }
    this.go(cell.index);
    const kind = place?.dataset.act ?? this.model.get("acts").click;
    if (kind) this.act(kind);
  }

  // Does what a key means; false for one that means nothing here.
  press(event) {
    const { key, altKey, ctrlKey, metaKey } = event;
    const acts = this.model.get("acts");
    const page = Math.max(1, Math.floor(this.grid.clientHeight / this.height)) * this.columns;
    const moves = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns, ArrowDown: this.columns };
    Object.assign(moves, { PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity });
    if (key in moves) this.move(moves[key], event);
    else if ((ctrlKey || metaKey) && key === "a" && !this.byLine) this.choose([...this.ids]);
    else if (ctrlKey || metaKey || altKey) return false;
    else if (key in acts) this.act(acts[key]);
    else if (this.byLine || ![" ", "Escape"].includes(key)) return false;
    else if (key === " ") this.toggle(this.current);
    else this.choose([]);
    return true;
  }

  // Moves the cursor, and the selection with it; Shift extends it, and Ctrl leaves it where it is.
  move(by, { shiftKey, ctrlKey, metaKey }) {
    const [least, most] = this.byLine && Math.abs(by) > 1 && Number.isFinite(by)
      ? [this.current % this.columns, this.total - this.columns + (this.current % this.columns)] // it stays in its column
      : [0, this.total - 1];
    const index = Math.min(Math.max(this.current + by, least), most);
    if (shiftKey) this.choose(this.between(this.anchor, index));
    else if (!ctrlKey && !metaKey) {
      this.anchor = index;
      this.choose([this.ids[index]]);
    }
    this.go(index);
  }

  go(index) {
    this.current = index;
    this.reveal();
    this.markAll();
  }

  between(one, other) {
    return this.ids.slice(Math.min(one, other), Math.max(one, other) + 1);
  }

  toggle(index) {
    const [key, chosen] = [this.ids[index], this.model.get("chosen")];
    this.anchor = index;
    this.choose(chosen.includes(key) ? chosen.filter((each) => each !== key) : [...chosen, key]);
  }

  choose(keys) {
    if (!this.byLine) this.change("chosen", keys);
  }

  // The keys may be ahead of the kernel, which decides what is shown of them.
  act(kind) {
    const key = this.keyAt(this.current);
    const [only, ...others] = this.model.get("chosen");
    if (kind === "large") return this.openLarge();
    // At once where one tile is all that is chosen, for whoever types on; else the kernel knows whether one is shown.
    if (kind === "rename" && !others.length && this.ids.includes(only)) return this.rename(only);
    if (kind === "open" && this.ids.length) this.choose([key]); // what is opened is selected, too
    const column = this.names[this.current % this.columns];
    const asked = kind === "rename" ? "r" : kind;
    this.model.send({ kind: asked, keys: this.model.get("chosen"), key: key ?? null, column });
  }

  // Puts a field in the place of a name. It ends on Enter or when it is left, or on Escape without a change.
  rename(key) {
    const index = this.ids.indexOf(key);
    if (index < 0) return;
    this.go(index);
    const name = this.cellAt(index).querySelector(".ink-name");
    const end = (given) => {
      if (this.naming !== input) return;
      this.naming = null;
      input.replaceWith(name);
      this.grid.focus({ preventScroll: true }); // which draws what has changed meanwhile
      if (given && given !== name.title) this.model.send({ kind: "rename", keys: [key], key, name: given });
    };
    const typed = () => input.value.trim();
    const onkeydown = ({ key }) => ["Enter", "Escape"].includes(key) && end(key === "Enter" ? typed() : "");
    const acts = { onkeydown, onblur: () => end(typed()) };
    const input = make("input", { type: "text", "aria-label": "New name", value: name.title, ...acts });
    name.replaceWith((this.naming = input));
    input.focus();
    input.select();
  }
}

// Hands a file to the person, as any download of the browser.
function save({ name, type }, [data]) {
  const url = URL.createObjectURL(new Blob([data], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

export default {
  ...widget(Rows),
  initialize({ model }) {
    const heed = (message, buffers) => {
      if (message.kind === "save") save(message, buffers);
      if (message.kind === "copy") navigator.clipboard?.writeText(message.text);
    };
    model.on("msg:custom", heed);
    return () => model.off("msg:custom", heed);
  },
};
