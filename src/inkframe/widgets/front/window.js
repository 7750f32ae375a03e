// A grid with a window over any number of lines: what is in view is on the page, everything else is not. Whoever
// extends it sets the height and the count of the lines, and draws, asks for, and acts on what they hold.

const SETTLE = 60; // milliseconds without scrolling before anything is asked for

class LineWindow {
  constructor(model, pictures, el, overscan) {
    Object.assign(this, { model, pictures, el, overscan, height: 0, count: 0, current: 0, lines: new Map() });
    this.id = `ink-grid-${Math.random().toString(36).slice(2)}`;
    this.sizer = make("div", { class: "ink-sizer", role: "presentation" });
    this.grid = make("div", {
      role: "grid", tabindex: 0, "aria-label": model.get("label"), "data-lm-suppress-shortcuts": "true",
    }, this.sizer);
    this.none = make("p", { class: "ink-hint" });
    el.append(this.grid, this.none);
    this.grid.addEventListener("scroll", () => this.paint());
    this.grid.addEventListener("click", (event) => this.click(event));
    this.grid.addEventListener("dblclick", (event) => this.cellOf(event) && this.act("open"));
    this.grid.addEventListener("keydown", (event) => {
      if (event.target !== this.grid || !this.press(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.resize = new ResizeObserver(() => this.measure());
    this.resize.observe(this.grid);
    this.onMessage = (message, buffers) => this.heed(message, buffers);
    model.on("msg:custom", this.onMessage);
    pictures.views.add(this);
    this.ends = [];
  }

  end() {
    this.ends.forEach((end) => end());
    this.resize.disconnect();
    clearTimeout(this.timer);
    this.model.off("msg:custom", this.onMessage);
    this.pictures.views.delete(this);
  }

  measure() {
    this.paint();
  }

  // The place of what the cursor is on among the lines.
  currentLine() {
    return this.current;
  }

  range() {
    const top = Math.floor(this.grid.scrollTop / this.height) - this.overscan;
    const bottom = Math.ceil((this.grid.scrollTop + this.grid.clientHeight) / this.height) + this.overscan;
    return [Math.max(0, top), Math.min(this.count, bottom)];
  }

  paint() {
    if (!this.height) return;
    const [top, bottom] = this.range();
    const held = Math.min(this.currentLine(), this.count - 1); // it carries the focus, wherever it is
    for (const [at, line] of this.lines) if ((at < top || at >= bottom) && at !== held) this.remove(at, line);
    for (let at = top; at < bottom; at++) this.line(at);
    if (this.count) this.line(held);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), this.asked ? SETTLE : 0);
  }

  place(at, line) {
    line.style.transform = `translateY(${at * this.height}px)`;
    if (this.lines.has(at)) this.lines.get(at).replaceWith(line);
    else this.sizer.append(line);
    this.lines.set(at, line);
  }

  remove(at, line) {
    line.remove();
    this.lines.delete(at);
  }

  picture(key, attributes, blank) {
    const held = this.pictures.held.get(key);
    if (held?.url) return make("img", { src: held.url, decoding: "async", draggable: "false", ...attributes });
    return make("div", blank, held?.reason ?? "");
  }

  // How far keys move the cursor, where a line holds one thing or several.
  strides(columns = 1) {
    const page = Math.max(1, Math.floor(this.room() / this.height)) * columns;
    return { ArrowUp: -columns, ArrowDown: columns, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity };
  }

  room() {
    return this.grid.clientHeight - (this.head?.offsetHeight ?? 0);
  }

  reveal() {
    if (!this.height || !this.count) return;
    const top = this.currentLine() * this.height;
    this.grid.scrollTop = Math.min(top, Math.max(this.grid.scrollTop, top + this.height - this.room()));
    this.paint();
  }
}
