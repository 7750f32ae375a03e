// The facets of a frame: a search, values with their counts, and histograms. The kernel counts; nothing of the
// records is here.

const WIDE = 200;
const TALL = 44;
const LISTED = 8; // values shown of a facet before "more"
const STILL = 400; // milliseconds without a key until what is typed is looked for by meaning
const MODES = { search: ["Words", "Search the texts"], near: ["Meaning", "Describe what you look for"] };

class FacetList extends View {
  constructor(model, el) {
    super(model, el);
    this.open = new Set();
    el.classList.add("ink-facets");
    this.search = make("input", { type: "search", "aria-label": "Search the texts" });
    this.search.addEventListener("input", () => this.ask());
    this.search.addEventListener("keydown", ({ key }) => key === "Enter" && this.ask(0));
    this.modes = Object.entries(MODES).map(([by, [words]]) => button(words, () => this.turn(by) || this.ask(0), { class: null, "data-by": by }));
    this.mode = make("div", { class: "ink-toggles", role: "group", "aria-label": "Search by" }, ...this.modes);
    this.ends.push(() => clearTimeout(this.timer));
    this.heed(({ kind }) => {
      if (kind !== "answered") return;
      const isNewer = this.search.value !== this.asked;
      this.asked = null;
      if (isNewer) this.ask();
    });
    this.clear = this.asking("Clear all", { kind: "clear" });
    this.boxes = make("div", { class: "ink-facet-boxes" });
    this.more = make("select", { "aria-label": "Add a facet" });
    this.more.addEventListener("change", () => model.send({ kind: "add", name: this.more.value }));
    el.addEventListener("keydown", (event) => event.stopPropagation());
    el.append(this.search, this.mode, this.clear, this.boxes, this.more);
    this.follow(["facets"], () => this.paint());
    this.follow(["search"], () => {
      if (document.activeElement !== this.search) this.search.value = model.get("search");
    });
    this.follow(["by"], () => this.turn(model.get("by")));
    this.follow(["has_meaning"], () => (this.mode.hidden = !model.get("has_meaning")));
    this.follow(["filtered"], () => (this.clear.hidden = !model.get("filtered")));
    this.follow(["available"], () => this.paintMore());
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
    this.model.send({ kind: "search", text: this.asked, by: this.by });
  }

  asking(words, message, attributes) {
    return button(words, () => this.model.send(message), attributes);
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
    const clear = this.asking("Clear", { kind: "clear", name }, { "aria-label": `Clear ${name}` });
    clear.hidden = !facet.filtered;
    const remove = this.asking("×", { kind: "remove", name }, { "aria-label": `Remove the facet ${name}` });
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
      input.addEventListener("change", () => this.model.send({ kind: "choose", name: facet.name, at, on: input.checked }));
      const bar = make("i", { class: "ink-facet-bar", "aria-hidden": "true" });
      bar.style.width = `${(100 * count) / most}%`;
      const text = make("span", { class: "ink-facet-label", dir: "auto", title: label }, label);
      list.append(make("label", { class: count ? "" : "ink-zero" }, input, text, make("span", { class: "ink-facet-count" }, count.toLocaleString("en")), bar));
    }
    if (facet.values.length > LISTED) {
      const turn = () => {
        if (!this.open.delete(facet.name)) this.open.add(facet.name);
        this.paint();
      };
      list.append(button(isOpen ? "Fewer" : `${facet.values.length - LISTED} more`, turn, { "data-id": `${facet.name} more` }));
    }
    return list;
  }

  // Bars of all records under the other filters, those within the bounds in the accent's color.
  histogram(facet) {
    const drawn = (name, attributes) => {
      const shape = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, value] of Object.entries(attributes)) mark(shape, key, value);
      return shape;
    };
    const bars = facet.bars.length;
    const most = Math.max(1, ...facet.bars);
    const [from, to] = facet.chosen ?? [0, bars];
    const words = `${facet.name}: ${facet.low} to ${facet.high}`;
    const svg = drawn("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, preserveAspectRatio: "none", role: "img", "aria-label": words });
    const paint = (low, high) => [...svg.children].forEach((bar, at) => mark(bar, "class", at >= low && at < high ? "ink-bar-in" : "ink-bar-out"));
    const heights = facet.bars.map((count) => (count ? Math.max(2, (TALL * count) / most) : 0));
    svg.append(...heights.map((height, at) => drawn("rect", { x: (WIDE * at) / bars + 0.5, y: TALL - height, width: WIDE / bars - 1, height })));
    paint(from, to);
    const barAt = (event) => {
      const { left, width } = svg.getBoundingClientRect();
      return Math.min(bars - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * bars)));
    };
    svg.addEventListener("pointerdown", (event) => {
      const first = barAt(event);
      const range = (at) => [Math.min(first, barAt(at)), Math.max(first, barAt(at)) + 1];
      const move = (each) => paint(...range(each));
      const end = (up) => {
        svg.removeEventListener("pointermove", move);
        this.bound(facet, range(up));
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
        this.bound(facet, end ? [from, Math.max(from + 1, +slider.value)] : [Math.min(to - 1, +slider.value), to]);
      });
      return slider;
    });
    const ends = make("div", { class: "ink-facet-ends" }, make("span", {}, facet.low), make("span", {}, facet.high));
    const missing = facet.missing ? make("div", { class: "ink-hint" }, `${facet.missing.toLocaleString("en")} without a value`) : "";
    return make("div", { class: "ink-facet-histogram" }, svg, make("div", { class: "ink-bounds" }, ...bounds), ends, missing);
  }

  bound({ name }, [from, to]) {
    this.model.send({ kind: "range", name, from, to });
  }
}

export default widget(FacetList);
