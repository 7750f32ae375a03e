// A map of records as points on a canvas. The wheel zooms, dragging moves, with Shift or the lasso it chooses; Enter
// chooses what is in view.

const COLORS = ["#4c7fe0", "#c8691b", "#0f9070", "#b25fc9", "#b8890c", "#d0506e", "#3f93b8", "#7d8f2a", "#8b6fd6", "#a5644e"];
const OTHER = "#8a8a8a";
const FADED = 0.08;
const AT_ONCE = 6000; // points drawn in one frame; while the map moves, these alone
const LAYERS = 2 * COLORS.length + 3; // faded, shown and chosen points, each color apart but those that are chosen
const NEAR = 8; // pixels within which a click means a point

class PointMap extends View {
  constructor(model, el) {
    super(model, el);
    Object.assign(this, { scale: 1, at: [0, 0], points: new Float32Array(), codes: new Uint8Array(), shown: new Uint8Array() });
    this.arrange();
    el.classList.add("ink-map");
    this.canvas = make("canvas", {
      tabindex: 0,
      role: "img",
      onpointerdown: (event) => this.press(event),
      onkeydown: (event) => this.key(event) && event.preventDefault(),
    });
    const turn = () => mark(this.lasso, "aria-pressed", String((this.isLasso = !this.isLasso)));
    this.lasso = button("Lasso", turn, { class: null, "aria-pressed": "false" });
    const whole = button("Show all", () => this.reset(), { class: null });
    this.color = make("select", { "aria-label": "Color", onchange: () => model.send({ kind: "color", name: this.color.value }) });
    this.legend = make("div", { class: "ink-legend" });
    this.note = make("p", { class: "ink-hint" });
    el.append(make("div", { class: "ink-tools" }, this.lasso, whole, make("label", {}, "Color ", this.color)), this.canvas, this.legend, this.note);
    const zoom = (event) => event.preventDefault() || this.scaleBy(Math.exp(-event.deltaY / 300), event.offsetX, event.offsetY);
    this.canvas.addEventListener("wheel", zoom, { passive: false });
    this.watch(new ResizeObserver(() => this.draw()), this.canvas);
    this.heed((message, buffers) => this.take(message, buffers));
    this.follow(["note"], (note) => (this.note.textContent = note));
    this.follow(["label"], (label) => mark(this.canvas, "aria-label", label));
    this.follow(["colors", "color"], (names, color) => {
      this.color.replaceChildren(...names.map((name) => make("option", { value: name, selected: name === color }, name || "None")));
    });
    this.follow(["groups"], (groups) => {
      const dot = (at) => make("i", { "aria-hidden": "true", style: `background: ${COLORS[at] ?? OTHER}` });
      this.legend.replaceChildren(...groups.map((name, at) => make("span", {}, dot(at), name)));
    });
    model.send({ kind: "ready" });
  }

  take({ kind }, buffers) {
    if (!["points", "codes", "shown"].includes(kind)) return;
    const [sent] = buffers;
    const bytes = sent instanceof DataView ? sent.buffer.slice(sent.byteOffset, sent.byteOffset + sent.byteLength) : sent;
    this[kind] = new (kind === "points" ? Float32Array : Uint8Array)(bytes);
    this.arrange();
    this.draw();
  }

  // Sorts the points by what they look like: faded ones first, those that are chosen a second time at the end.
  arrange() {
    const count = this.points.length / 2;
    const colors = COLORS.length + 1;
    const layers = Array.from({ length: LAYERS }, () => []);
    for (let at = 0; at < count; at++) {
      layers[(this.shown[at] & 1) * colors + Math.min(this.codes[at] ?? 0, COLORS.length)].push(at);
      if (this.shown[at] & 2) layers[LAYERS - 1].push(at);
    }
    this.layers = layers;
    this.passes = Math.max(1, Math.ceil(layers.reduce((sum, { length }) => sum + length, 0) / AT_ONCE));
  }

  reset() {
    Object.assign(this, { scale: 1, at: [0, 0] });
    this.draw();
  }

  // Pixels of a place on the map, and back.
  frame() {
    const { clientWidth: w, clientHeight: h } = this.canvas;
    const size = (Math.min(w, h) / 2 - 14) * this.scale;
    return { w, h, size, x: w / 2 + this.at[0] * this.scale, y: h / 2 + this.at[1] * this.scale };
  }

  draw(moving = false) {
    cancelAnimationFrame(this.next);
    this.next = requestAnimationFrame(() => this.paint(moving));
  }

  // Draws every so many points; the others follow in the next frames, unless the map moves.
  paint(moving, pass = 0) {
    const { w, h, size, x, y } = this.frame();
    if (!w) return;
    const ratio = devicePixelRatio || 1;
    const context = this.canvas.getContext("2d");
    if (!pass) {
      Object.assign(this.canvas, { width: Math.round(w * ratio), height: Math.round(h * ratio) });
      context.clearRect(0, 0, w, h);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const side = Math.min(6, Math.max(1.5, 220 / Math.sqrt(this.points.length / 2)) * Math.sqrt(this.scale));
    const colors = COLORS.length + 1;
    context.strokeStyle = getComputedStyle(this.canvas).color;
    this.layers.forEach((layer, number) => {
      const isChosen = number === LAYERS - 1;
      context.fillStyle = COLORS[number % colors] ?? OTHER;
      context.globalAlpha = isChosen ? 1 : number < colors ? FADED : 0.75;
      for (let each = pass; each < layer.length; each += this.passes) {
        const px = x + this.points[2 * layer[each]] * size;
        const py = y - this.points[2 * layer[each] + 1] * size;
        if (px < -side || py < -side || px > w + side || py > h + side) continue;
        if (isChosen) context.strokeRect(px - side, py - side, 2 * side, 2 * side);
        else context.fillRect(px - side / 2, py - side / 2, side, side);
      }
    });
    context.globalAlpha = 1;
    if (this.path?.length > 1) {
      context.beginPath();
      this.path.forEach(([px, py], at) => context[at ? "lineTo" : "moveTo"](px, py));
      context.stroke();
    }
    if (!moving && pass + 1 < this.passes) this.next = requestAnimationFrame(() => this.paint(moving, pass + 1));
  }

  scaleBy(by, px = this.canvas.clientWidth / 2, py = this.canvas.clientHeight / 2) {
    const before = this.scale;
    this.scale = Math.min(60, Math.max(1, before * by));
    const [w, h] = [this.canvas.clientWidth / 2, this.canvas.clientHeight / 2];
    this.at = [this.at[0] + (px - w) * (1 / this.scale - 1 / before), this.at[1] + (py - h) * (1 / this.scale - 1 / before)];
    this.draw(true);
    clearTimeout(this.still);
    this.still = setTimeout(() => this.draw(), 120);
  }

  key(event) {
    const moves = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] };
    const scales = { "+": 1.3, "=": 1.3, "-": 1 / 1.3 };
    const { w, h } = this.frame();
    if (event.key in moves) this.at = this.at.map((each, axis) => each + moves[event.key][axis] / this.scale);
    else if (event.key in scales) this.scaleBy(scales[event.key]);
    else if (event.key === "0") this.reset();
    else if (event.key === "Enter") this.choose([[0, 0], [w, 0], [w, h], [0, h]]);
    else return false;
    this.draw();
    return true;
  }

  press(event) {
    const start = [event.offsetX, event.offsetY];
    const chooses = this.isLasso || event.shiftKey;
    const from = this.at;
    this.path = chooses ? [start] : null;
    const move = (each) => {
      if (chooses) this.path.push([each.offsetX, each.offsetY]);
      else this.at = [from[0] + (each.offsetX - start[0]) / this.scale, from[1] + (each.offsetY - start[1]) / this.scale];
      this.draw(true);
    };
    const end = (each) => {
      const still = Math.hypot(each.offsetX - start[0], each.offsetY - start[1]) < 4;
      if (chooses && this.path.length > 2) this.choose(this.path);
      else if (still) this.model.send({ kind: "near", place: this.place(start), within: NEAR / this.frame().size });
      this.path = null;
      this.draw();
    };
    drag(event, move, end);
  }

  // Chooses the points within a path of pixels.
  choose(path) {
    this.model.send({ kind: "lasso", polygon: path.map((point) => this.place(point)) });
  }

  place([px, py]) {
    const { size, x, y } = this.frame();
    return [(px - x) / size, (y - py) / size];
  }
}

export default widget(PointMap);
