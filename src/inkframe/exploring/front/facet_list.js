// The facets of a frame: a search, values with their counts, and histograms. The kernel counts; nothing of the
// records is here.

const LISTED = 8; // values shown of a facet before "more"
const STILL = 400; // milliseconds without a key until what is typed is looked for by meaning
const MODES = { search: ["Words", "Search the texts"], near: ["Meaning", "Describe what you look for"] };

class FacetList extends View {
  constructor(model, el) {
    super(model, el);
    this.open = new Set();
    el.classList.add("ink-facets");
    const onkeydown = ({ key }) => key === "Enter" && this.ask(0);
    this.search = make("input", { type: "search", "aria-label": "Search the texts", oninput: () => this.ask(), onkeydown });
    this.modes = Object.entries(MODES).map(([by, [words]]) => button(words, () => this.turn(by) || this.ask(0), { class: null, "data-by": by }));
    this.mode = make("div", { class: "ink-tools", role: "group", "aria-label": "Search by" }, ...this.modes);
    this.ends.push(() => clearTimeout(this.timer));
    this.heed(({ kind }) => {
      if (kind !== "answered") return;
      const isNewer = this.search.value !== this.asked;
      this.asked = null;
      if (isNewer) this.ask();
    });
    this.clear = button("Clear all", () => model.send({ kind: "clear" }));
    this.boxes = make("div", { class: "ink-facet-boxes" });
    this.more = make("select", { "aria-label": "Add a facet", onchange: () => model.send({ kind: "add", name: this.more.value }) });
    el.append(this.search, this.mode, this.clear, this.boxes, this.more);
    this.follow(["facets"], () => this.paint());
    this.follow(["search"], (text) => document.activeElement !== this.search && (this.search.value = text));
    this.follow(["by"], (by) => this.turn(by));
    this.follow(["has_meaning"], (has) => (this.mode.hidden = !has));
    this.follow(["filtered"], (is) => (this.clear.hidden = !is));
    this.follow(["available"], (names) => {
      const first = make("option", { value: "", selected: true, disabled: true }, "Add a facet");
      this.more.replaceChildren(first, ...names.map((name) => make("option", { value: name }, name)));
      this.more.hidden = !names.length;
    });
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

  paint() {
    const focus = this.boxes.contains(document.activeElement) ? document.activeElement.dataset.id : null;
    this.boxes.replaceChildren(...this.model.get("facets").map((facet) => this.box(facet)));
    if (focus) [...this.boxes.querySelectorAll("[data-id]")].find((each) => each.dataset.id === focus)?.focus();
  }

  box(facet) {
    const { name } = facet;
    const asks = (kind) => () => this.model.send({ kind, name });
    const clear = button("Clear", asks("clear"), { "aria-label": `Clear ${name}`, hidden: !facet.filtered });
    const remove = button("×", asks("remove"), { "aria-label": `Remove the facet ${name}` });
    const head = make("div", { class: "ink-facet-head" }, make("span", { class: "ink-facet-name" }, name), clear, remove);
    return make("div", { class: "ink-facet", role: "group", "aria-label": name }, head, facet.bars ? this.histogram(facet) : this.values(facet));
  }

  values(facet) {
    const list = make("div", { class: "ink-facet-values" });
    const isOpen = this.open.has(facet.name);
    const shown = isOpen ? facet.values : facet.values.filter((each, at) => at < LISTED || each.chosen);
    const most = Math.max(1, ...facet.values.map(({ count }) => count));
    for (const { at, label, count, chosen } of shown) {
      const onchange = ({ target }) => this.model.send({ kind: "choose", name: facet.name, at, on: target.checked });
      const input = make("input", { type: "checkbox", "data-id": `${facet.name} ${at}`, checked: chosen, onchange });
      const bar = make("i", { class: "ink-facet-bar", "aria-hidden": "true", style: `width: ${(100 * count) / most}%` });
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
    const bars = facet.bars.length;
    const most = Math.max(1, ...facet.bars);
    const [from, to] = facet.chosen ?? [0, bars];
    const words = `${facet.name}: ${facet.low} to ${facet.high}`;
    const tall = (count) => `height: ${count && Math.max(5, (100 * count) / most)}%`;
    const chart = make("div", { class: "ink-bars", role: "img", "aria-label": words }, ...facet.bars.map((count) => make("i", { style: tall(count) })));
    const paint = (low, high) => [...chart.children].forEach((bar, at) => bar.classList.toggle("ink-on", at >= low && at < high));
    paint(from, to);
    const barAt = (event) => {
      const { left, width } = chart.getBoundingClientRect();
      return Math.min(bars - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * bars)));
    };
    chart.addEventListener("pointerdown", (event) => {
      const first = barAt(event);
      const range = (at) => [Math.min(first, barAt(at)), Math.max(first, barAt(at)) + 1];
      paint(...range(event));
      drag(event, (each) => paint(...range(each)), (each) => this.bound(facet, range(each)));
    });
    const bounds = [from, to].map((value, end) => {
      const label = `${facet.name}, ${end ? "highest" : "lowest"}`;
      const onchange = ({ target }) => this.bound(facet, end ? [from, Math.max(from + 1, +target.value)] : [Math.min(to - 1, +target.value), to]);
      return make("input", { type: "range", min: 0, max: bars, value, "aria-label": label, "data-id": `${facet.name} ${end}`, onchange });
    });
    const ends = make("div", { class: "ink-facet-ends" }, make("span", {}, facet.low), make("span", {}, facet.high));
    const missing = facet.missing ? make("div", { class: "ink-hint" }, `${facet.missing.toLocaleString("en")} without a value`) : "";
    return make("div", { class: "ink-facet-histogram" }, chart, make("div", { class: "ink-bounds" }, ...bounds), ends, missing);
  }

  bound({ name }, [from, to]) {
    this.model.send({ kind: "range", name, from, to });
  }
}

export default widget(FacetList);
