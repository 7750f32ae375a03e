// The facets of a frame: a search, values with their counts, and histograms. The kernel counts; nothing of the
// records is here.

const WIDE = 200;
const TALL = 44;
const LISTED = 8; // values shown of a facet before "more"
const STILL = 400; // milliseconds without a key until what is typed is looked for by meaning
const MODES = { search: ["Words", "Search the texts"], near: ["Meaning", "Describe what you look for"] };

class FacetList {
  constructor(model, el) {
    Object.assign(this, { model, el, open: new Set() });
    el.classList.add("ink-facets");
    this.search = make("input", { type: "search", "aria-label": "Search the texts" });
    this.search.addEventListener("input", () => this.ask());
    this.search.addEventListener("keydown", ({ key }) => key === "Enter" && this.ask(0));
    this.modes = Object.entries(MODES).map(([by, [words]]) => {
      const mode = make("button", { type: "button", "data-by": by }, words);
      mode.addEventListener("click", () => this.turn(by) || this.ask(0));
      return mode;
    });
    this.mode = make("div", { class: "ink-toggles", role: "group", "aria-label": "Search by" }, ...this.modes);
    this.send = (message) => model.send(message);
    this.answered = ({ kind }) => {
      if (kind !== "answered") return;
      const isNewer = this.search.value !== this.asked;
      this.asked = null;
      if (isNewer) this.ask();
    };
    model.on("msg:custom", this.answered);
    this.clear = this.button("Clear all", { kind: "clear" }, "ink-link");
    this.boxes = make("div", { class: "ink-facet-boxes" });
    this.more = make("select", { "aria-label": "Add a facet" });
    this.more.addEventListener("change", () => this.send({ kind: "add", name: this.more.value }));
    el.addEventListener("keydown", (event) => event.stopPropagation());
    mark(el, "data-lm-suppress-shortcuts", "true");
    el.append(this.search, this.mode, this.clear, this.boxes, this.more);
    this.ends = [
      follow(model, ["facets"], () => this.paint()),
      follow(model, ["search"], () => {
        if (document.activeElement !== this.search) this.search.value = model.get("search");
      }),
      follow(model, ["by"], () => this.turn(model.get("by"))),
      follow(model, ["has_meaning"], () => (this.mode.hidden = !model.get("has_meaning"))),
      follow(model, ["filtered"], () => (this.clear.hidden = !model.get("filtered"))),
      follow(model, ["available"], () => this.paintMore()),
    ];
  }

  end() {
    clearTimeout(this.timer);
    this.model.off("msg:custom", this.answered);
    for (const end of this.ends) end();
  }

  turn(by) {
    this.by = by;
    for (const each of this.modes) mark(each, "aria-pressed", String(each.dataset.by === by));
    mark(this.search, "placeholder", MODES[by][1]);
  }

  // Searches for what is typed. What is typed before the answer waits for it, so that searches do not pile up.
  ask(wait = this.by === "near" ? STILL : 0) {
    clearTimeout(this.timer);
    if (wait) this.timer = setTimeout(() => this.ask(0), wait);
    if (wait || this.asked != null) return;
    this.asked = this.search.value;
    this.send({ kind: "search", text: this.asked, by: this.by });
  }

  button(words, message, name = "") {
    const button = make("button", { type: "button", class: name }, words);
    button.addEventListener("click", () => this.send(message));
    return button;
  }

  paintMore() {
    const names = this.model.get("available");
    const first = make("option", { value: "", selected: true, disabled: true }, "Add a facet");
    this.more.replaceChildren(first, ...names.map((name) => make("option", { value: name }, name)));
    this.more.hidden = !names.length;
  }

  paint() {
    const focus = this.boxes.contains(document.activeElement) ? document.activeElement.dataset.id : null;
    this.boxes.replaceChildren(...this.model.get("facets").map((facet) => this.box(facet)));
    if (focus) [...this.boxes.querySelectorAll("[data-id]")].find((each) => each.dataset.id === focus)?.focus();
  }

  box(facet) {
    const { name } = facet;
    const clear = this.button("Clear", { kind: "clear", name }, "ink-link");
    mark(clear, "aria-label", `Clear ${name}`);
    clear.hidden = !facet.filtered;
    const remove = this.button("×", { kind: "remove", name }, "ink-link");
    mark(remove, "aria-label", `Remove the facet ${name}`);
    const head = make("div", { class: "ink-facet-head" }, make("span", { class: "ink-facet-name" }, name), clear, remove);
    return make("div", { class: "ink-facet", role: "group", "aria-label": name }, head, facet.bars ? this.histogram(facet) : this.values(facet));
  }

  values(facet) {
    const list = make("div", { class: "ink-facet-values" });
    const isOpen = this.open.has(facet.name);
    const shown = isOpen ? facet.values : facet.values.filter((each, at) => at < LISTED || each.chosen);
    const most = Math.max(1, ...facet.values.map(({ count }) => count));
    for (const { at, label, count, chosen } of shown) {
      const input = make("input", { type: "checkbox", "data-id": `${facet.name} ${at}` });
      input.checked = chosen;
      input.addEventListener("change", () => this.send({ kind: "choose", name: facet.name, at, on: input.checked }));
      const bar = make("i", { class: "ink-facet-bar", "aria-hidden": "true" });
      bar.style.width = `${(100 * count) / most}%`;
      const text = make("span", { class: "ink-facet-label", dir: "auto", title: label }, label);
      list.append(make("label", { class: count ? "" : "ink-zero" }, input, text, make("span", { class: "ink-facet-count" }, count.toLocaleString("en")), bar));
    }
    if (facet.values.length > LISTED) {
      const button = make("button", { type: "button", class: "ink-link", "data-id": `${facet.name} more` }, isOpen ? "Fewer" : `${facet.values.length - LISTED} more`);
      button.addEventListener("click", () => {
        if (!this.open.delete(facet.name)) this.open.add(facet.name);
        this.paint();
      });
      list.append(button);
    }
    return list;
  }

  // Bars of all records under the other filters, those within the bounds in the accent's color.
  histogram(facet) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const bars = facet.bars.length;
    const most = Math.max(1, ...facet.bars);
    const [from, to] = facet.chosen ?? [0, bars];
    const label = `${facet.name}: ${facet.low} to ${facet.high}`;
    const frame = { viewBox: `0 0 ${WIDE} ${TALL}`, preserveAspectRatio: "none", role: "img", "aria-label": label };
    for (const [name, value] of Object.entries(frame)) mark(svg, name, value);
    facet.bars.forEach((count, at) => {
      const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      const height = count ? Math.max(2, (TALL * count) / most) : 0;
      const name = at >= from && at < to ? "ink-bar-in" : "ink-bar-out";
      const place = { x: (WIDE * at) / bars + 0.5, y: TALL - height, width: WIDE / bars - 1, height, class: name };
      for (const [name, value] of Object.entries(place)) mark(rect, name, String(value));
      svg.append(rect);
    });
    const barAt = (event) => {
      const { left, width } = svg.getBoundingClientRect();
      return Math.min(bars - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * bars)));
    };
    svg.addEventListener("pointerdown", (event) => {
      const first = barAt(event);
      const range = (at) => [Math.min(first, barAt(at)), Math.max(first, barAt(at)) + 1];
      const move = (each) => {
        const [low, high] = range(each);
        [...svg.children].forEach((bar, at) => mark(bar, "class", at >= low && at < high ? "ink-bar-in" : "ink-bar-out"));
      };
      const end = (up) => {
        svg.removeEventListener("pointermove", move);
        this.send({ kind: "range", name: facet.name, from: range(up)[0], to: range(up)[1] });
      };
      svg.setPointerCapture(event.pointerId);
      move(event);
      svg.addEventListener("pointermove", move);
      svg.addEventListener("pointerup", end, { once: true });
    });
    const bounds = [from, to].map((value, end) => {
      const label = `${facet.name}, ${end ? "highest" : "lowest"}`;
      const slider = make("input", { type: "range", min: 0, max: bars, value, "aria-label": label, "data-id": `${facet.name} ${end}` });
      slider.addEventListener("change", () => {
        const both = end ? [from, Math.max(from + 1, +slider.value)] : [Math.min(to - 1, +slider.value), to];
        this.send({ kind: "range", name: facet.name, from: both[0], to: both[1] });
      });
      return slider;
    });
    const words = make("div", { class: "ink-facet-ends" }, make("span", {}, facet.low), make("span", {}, facet.high));
    const missing = facet.missing ? make("div", { class: "ink-hint" }, `${facet.missing.toLocaleString("en")} without a value`) : "";
    return make("div", { class: "ink-facet-histogram" }, svg, make("div", { class: "ink-bounds" }, ...bounds), words, missing);
  }
}

export default {
  render({ model, el }) {
    const list = new FacetList(model, el);
    return () => list.end();
  },
};
