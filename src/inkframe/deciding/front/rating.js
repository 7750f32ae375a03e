// Rating one item at a time. The page holds the next items, so that a key never waits for the kernel, and every
// judgment until the kernel says that it is on the disk. Items have random tokens and nothing that names a group.

const KEPT = 5; // judged items that Undo shows again without asking the kernel
const SLOW = 1500; // milliseconds after which a judgment that is not saved yet is spoken of
const LOST = Symbol.for("inkframe rating focus"); // when a panel was taken away that had the focus
const HANDOVER = 5000; // milliseconds in which the next one takes it
const AT_ONCE = 500;
const AT_FIRST = 2000; // milliseconds until the kernel is asked again, twice as many each time

// What all views of one panel share.
class Session extends View {
  constructor(model) {
    super(model);
    Object.assign(this, { queue: [], past: [], pending: new Map(), failed: [], views: new Set(), number: 0, name: newId() });
    Object.assign(this, { done: 0, left: 0, looks: [], revealed: false, ready: false, waits: false });
    Object.assign(this, { alert: "", reason: "", asks: false });
    this.heed((message, buffers) => this.take(message, buffers));
    this.ask(AT_FIRST);
  }

  // The kernel may not listen yet to a panel that it makes in a thread, so this asks until it has heard.
  ask(pause) {
    if (this.ready) return;
    this.model.send({ kind: "ready" });
    setTimeout(() => this.ask(2 * pause), pause);
  }

  take(message, buffers) {
    if (message.kind === "state") this.update(message);
    if (message.kind === "item") this.add(message, buffers);
    if (message.kind === "failed") this.fail(message);
    this.paint();
  }

  update({ n, reset, drop, done, left, looks, revealed }) {
    const event = this.pending.get(n);
    this.pending.delete(n);
    this.ready = true;
    if (reset) {
      this.forget(this.queue);
      this.queue = [];
      this.asks = false;
    }
    const isOther = (token) => token !== event?.token;
    this.queue = this.queue.filter(({ token }) => !(token === drop && isOther(token)));
    if (event?.kind === "undo" && !event.token && !done) this.waits = false;
    Object.assign(this, { done, left, looks, revealed });
  }

  add({ item, front }, buffers) {
    const sent = [...this.pending.values()].filter(({ kind }) => kind !== "undo");
    const known = [...this.queue, ...sent].map(({ token }) => token);
    if (buffers?.length) item.urls = buffers.map((bytes) => this.address(bytes));
    if (known.includes(item.token)) this.forget([item]);
    else if (front) this.queue.unshift(item);
    else this.queue.push(item);
    if (front) this.waits = false;
  }

  fail({ n, reason }) {
    Object.assign(this, { alert: reason, waits: false });
    if (this.pending.has(n)) this.failed.push(n);
  }

  get current() {
    return this.waits ? null : this.queue[0];
  }

  // How many are judged, those included that are on their way.
  get judged() {
    const count = (kind) => [...this.pending.values()].filter((each) => each.kind === kind && each.token).length;
    return this.done + count("rate") - count("undo");
  }

  send(event) {
    const n = `${this.name}-${++this.number}`; // another page of this panel has other numbers
    this.pending.set(n, { ...event, since: performance.now() });
    this.model.send({ ...event, n });
    setTimeout(() => this.pending.has(n) && this.paint(), SLOW + 50);
  }

  rate(value) {
    const item = this.current;
    if (!item) return;
    const reason = this.reason.trim() || null;
    this.queue.shift();
    this.past.push(item);
    this.forget(this.past.splice(0, this.past.length - KEPT));
    this.reason = "";
    this.send({ kind: "rate", token: item.token, value, reason });
    this.paint();
  }

  skip() {
    const item = this.current;
    if (!item || this.queue.length < 2) return;
    this.queue.shift();
    this.forget([item]);
    this.reason = "";
    this.send({ kind: "skip", token: item.token });
    this.paint();
  }

  undo() {
    if (this.waits) return;
    const item = this.past.pop();
    if (item) {
      const isLost = ({ kind, token }) => kind === "rate" && token === item.token;
      const n = this.failed.find((each) => isLost(this.pending.get(each) ?? {}));
      this.queue.unshift(item);
      if (n) {
        this.pending.delete(n); // it was never saved
        this.failed = this.failed.filter((each) => each !== n);
        if (!this.failed.length) this.alert = "";
      } else this.send({ kind: "undo", token: item.token });
    } else if (this.done) {
      this.waits = true;
      this.send({ kind: "undo" });
    }
    this.paint();
  }

  again() {
    const events = this.failed.map((n) => this.pending.get(n)).filter(Boolean);
    this.failed.forEach((n) => this.pending.delete(n));
    Object.assign(this, { failed: [], alert: "" });
    for (const { since, ...event } of events) this.send(event);
    this.paint();
  }

  reveal() {
    this.asks = this.left > 0 && !this.asks;
    if (!this.asks) this.send({ kind: "reveal" });
    this.paint();
  }

  keep() {
    this.asks = false;
    this.paint();
  }

  forget(items) {
    this.release(items.flatMap(({ urls }) => urls ?? []));
  }

  paint() {
    for (const view of this.views) view.paint();
  }
}

class Stage extends View {
  constructor(session, el) {
    super(session.model, el);
    Object.assign(this, { session, shown: undefined, left: -HANDOVER });
    el.classList.add("ink-rating");
    el.innerHTML = this.model.get("shell"); // made by the kernel, with what each key and each press means
    for (const part of el.querySelectorAll("[data-part]")) this[part.dataset.part] = part;
    this.reason.addEventListener("input", () => (session.reason = this.reason.value));
    this.stage.addEventListener("mousedown", () => setTimeout(() => getSelection().isCollapsed && this.focus()));
    el.addEventListener("click", ({ target }) => this.act(target.closest("[data-act]")));
    el.addEventListener("keydown", (event) => this.key(event));
    el.addEventListener("focusin", () => el.classList.add("ink-focused"));
    el.addEventListener("focusout", ({ relatedTarget }) => {
      this.left = relatedTarget ? -HANDOVER : performance.now(); // so it also begins when a panel is taken away
      el.classList.toggle("ink-focused", el.contains(relatedTarget));
    });
    session.views.add(this);
    this.ends.push(() => session.views.delete(this));
    this.follow(["plan"], (plan) => (this.plan.textContent = plan));
    this.follow(["results"], (results) => {
      this.results.innerHTML = results; // made by the kernel
      this.results.hidden = !results;
    });
    this.paint();
    this.takeFocus();
  }

  focus() {
    this.stage.focus({ preventScroll: true });
  }

  // A panel that is rendered anew takes the focus along, or the next key would go to the notebook.
  takeFocus() {
    if (performance.now() - (globalThis[LOST] ?? -HANDOVER) > HANDOVER) return;
    if (!this.el.isConnected) {
      requestAnimationFrame(() => this.takeFocus());
      return;
    }
    const has = document.activeElement;
    if (has === document.body || !has.matches(":read-write")) this.focus();
    globalThis[LOST] = -HANDOVER;
  }

  end() {
    if (performance.now() - this.left < AT_ONCE) globalThis[LOST] = performance.now();
    super.end();
  }

  // Does what a press means, after which the next key rates.
  act(place) {
    if (!place) return;
    const { act, value } = place.dataset;
    this.session[act]?.(value && JSON.parse(value));
    this.focus();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === this.reason) {
      if (event.key === "Enter" || event.key === "Escape") this.focus();
      return;
    }
    const places = [...this.el.querySelectorAll("[data-keys]")];
    const place = places.find(({ dataset }) => dataset.keys.split(" ").includes(event.key));
    if (!place) return;
    event.preventDefault();
    if (event.repeat) return; // a key that is held down judges once
    if (place === this.reason) place.focus();
    else this.act(place);
  }

  paint() {
    const { session } = this;
    const item = session.current;
    if (!item) this.paintEnd();
    else if (item !== this.shown) this.paintItem(item);
    this.shown = item;
    this.el.classList.toggle("ink-empty", !item);
    const total = session.done + session.left;
    const next = session.looks.find((each) => each > session.judged);
    const verdict = session.revealed && this.model.get("has_groups") ? " · after Reveal: does not count" : next ? ` · verdict at ${next}` : "";
    const count = item ? `${Math.min(session.judged + 1, total)} of ${total}${verdict}` : total ? `${session.judged} of ${total}` : "";
    if (this.count.textContent !== count) this.count.textContent = count;
    this.fill.style.width = total ? `${(100 * session.judged) / total}%` : "0";
    if (this.reason.value !== session.reason) this.reason.value = session.reason;
    mark(this.skip, "aria-disabled", session.queue.length < 2 ? "true" : null);
    mark(this.undo, "aria-disabled", session.judged < 1 ? "true" : null);
    for (const choice of this.choices.children) mark(choice, "aria-disabled", item ? null : "true");
    this.paintSaved();
    this.reveal.hidden = session.revealed || session.asks || !session.judged;
    this.asked.hidden = !session.asks;
    this.lost.textContent = `Ratings after Reveal do not count: ${total - session.judged} would be left out. `;
  }

  paintItem(item) {
    this.stage.scrollTop = 0;
    this.case.textContent = item.case;
    this.case.hidden = !item.case;
    this.el.classList.toggle("ink-pictures", !!item.urls);
    const isPair = item.parts.length > 1;
    const parts = item.parts.map((html, at) => {
      const name = isPair ? ["Left", "Right"][at] : "To rate";
      const alt = isPair ? `${name} picture` : "Picture to rate";
      const part = make("div", { class: "ink-part", role: "group", "aria-label": name });
      if (item.urls) part.append(make("img", { src: item.urls[at], alt, draggable: "false" }));
      else part.innerHTML = html; // made safe by the kernel
      if (item.groups[at]) part.prepend(make("div", { class: "ink-group" }, item.groups[at]));
      return part;
    });
    this.item.replaceChildren(...parts);
  }

  paintEnd() {
    const { session } = this;
    const isAll = session.ready && !session.left && !session.waits;
    const reveal = session.revealed ? "" : this.model.get("has_groups") ? " Press Reveal groups to see which is which." : "";
    const text = isAll ? `All ${session.done} rated.${reveal}` : session.ready ? "The next items are on their way…" : "Waiting for the kernel…";
    this.case.hidden = true;
    if (this.item.textContent !== text) this.item.replaceChildren(make("p", { class: "ink-hint" }, text));
  }

  paintSaved() {
    const { session } = this;
    const waiting = [...session.pending.entries()].filter(([n, { kind }]) => kind === "rate" && !session.failed.includes(n));
    const slow = waiting.filter(([, { since }]) => performance.now() - since > SLOW).length;
    const failed = session.failed.length;
    const parts = [session.done ? `${session.done} saved` : ""];
    if (slow) parts.push(`${waiting.length} not saved yet: the kernel is busy`);
    if (failed) parts.push(`${failed} not saved`);
    this.saved.textContent = parts.filter(Boolean).join(" · ");
    if (this.said.textContent !== session.alert) this.said.textContent = session.alert;
    this.again.hidden = !failed;
    this.alert.hidden = !session.alert;
  }
}

// Called once for each panel.
export default () => {
  let session = null;
  return {
    initialize({ model }) {
      session = new Session(model);
      return () => session.end();
    },
    render({ el }) {
      const stage = new Stage(session, el);
      return () => stage.end();
    },
  };
};
