// What goes on in a panel and what went wrong. It also gives the panel's own controls what they lack: the link
// from a field to its problem, keys and a focus that stay here, and a way to bring something into view.

const CONTROLS = "button, input, select, textarea, [tabindex='0']";
const TICK = 100;
const BRIEF = 250; // milliseconds: work that takes no longer is not spoken of

class Status extends View {
  constructor(model, el) {
    super(model, el);
    el.classList.add("ink-status");
    const alert = make("div", { class: "ink-alert", role: "alert" });
    el.append(this.progress(), this.line(), alert);
    this.follow(["alert"], (text) => Object.assign(alert, { textContent: text, hidden: !text }));
    this.listen(window, "keydown", (event) => this.guard(event), true);
    this.heed(({ kind, where }) => {
      if (kind === "reveal") reveal(this.panel?.querySelector(where));
      if (kind === "settle") model.send({ kind: "settled" });
    });
    this.heed(() => this.link(), "change:problems");
    model.send({ kind: "shown" });
    this.watch(new ResizeObserver(() => this.link()), el); // panels come to the page after they were made
  }

  get panel() {
    return this.el.closest(".ink-panel");
  }

  // Whether something is in this panel, and not in one inside it.
  owns(target) {
    return !!this.panel && target.closest(".ink-panel") === this.panel;
  }

  progress() {
    const fill = make("i");
    const bar = make("div", { class: "ink-progress", role: "progressbar", "aria-label": "Progress" }, fill);
    this.follow(["working", "done", "total"], (working, done, total) => {
      bar.hidden = !working;
      bar.classList.toggle("ink-endless", !total);
      const numbers = Object.entries({ min: 0, max: total, now: done });
      numbers.forEach(([name, value]) => mark(bar, `aria-value${name}`, total ? value : null));
      fill.style.width = total ? `${(100 * done) / total}%` : "";
    });
    return bar;
  }

  line() {
    const { model } = this;
    const said = make("span", { role: "status", "aria-live": "polite" });
    const clock = make("span", { class: "ink-clock", "aria-hidden": "true" });
    const cancel = button("Cancel", () => model.send({ kind: "cancel" }));
    const keys = button("?", () => this.showKeys(), { class: "ink-link ink-keys", "aria-label": "Keys (?)", title: "Keys (?)" });
    let [began, timer] = [0, 0];
    const paint = () => {
      const working = model.get("working");
      if (!working !== !timer) {
        clearInterval(timer);
        [began, timer] = [performance.now(), working && setInterval(paint, TICK)];
      }
      const passed = performance.now() - began;
      if (working && passed < BRIEF) return; // what stood there may stand a little longer
      const count = model.get("total") ? ` ${model.get("done")} of ${model.get("total")}` : "";
      const hint = model.get("hint") && `${count && " ·"} ${model.get("hint")}`;
      const text = working ? `${working}…${count}${hint}` : model.get("text");
      if (said.textContent !== text) said.textContent = text;
      clock.textContent = working ? ` · ${(passed / 1000).toFixed(1)} s` : "";
      cancel.hidden = !(working && model.get("cancels"));
    };
    this.follow(["working", "hint", "text", "cancels", "done", "total"], paint);
    this.follow(["key_words"], (words) => (keys.hidden = !Object.keys(words).length));
    this.ends.push(() => clearInterval(timer));
    return make("div", { class: "ink-line" }, said, clock, cancel, keys);
  }

  // Does once for a panel what its controls lack.
  link() {
    if (!this.panel) return;
    linkProblems(this.panel, this.model.get("problems"));
    if (this.linked) return;
    this.linked = true;
    keepFocus(this, this.panel);
    for (const kind of ["click", "keydown"]) this.listen(this.panel, kind, (event) => this.read(event));
    const isOwn = (event) => event.defaultPrevented || !(event.ctrlKey || event.metaKey);
    this.listen(this.panel, "keydown", (event) => isOwn(event) && event.stopPropagation());
  }

  // Keeps plain keys in the panel: JupyterLab would take arrows for itself, and delete the cell on two d.
  // What is typed into text it leaves alone, and keys with Ctrl or Cmd are its own.
  guard({ target, key, ctrlKey, metaKey }) {
    if (!this.panel?.contains(target)) return;
    const isText = target.matches(":read-write");
    mark(target, "data-lm-suppress-shortcuts", ctrlKey || metaKey || isText ? null : "true");
    if (key === "?" && this.owns(target) && !isText) this.showKeys();
    const editor = key === "Escape" && target.matches("textarea") && this.owns(target) && target.closest(".ink-pane");
    if (editor) editor.querySelector("button:not(.ink-go)").click(); // discards the changes
  }

  // Opens a text of the panel at full length.
  read({ target, key, type }) {
    if (!this.owns(target) || target.closest("dialog")) return;
    const text = key === "Enter" ? target.closest(".ink-text") : type === "click" && target.closest(".ink-open");
    if (text) showTexts(this.panel, text.closest(".ink-card"));
  }

  showKeys() {
    const words = Object.entries(this.model.get("key_words"));
    const rows = words.flatMap(([key, meaning]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, meaning)]);
    const list = make("dl", { class: "ink-facts" }, ...rows);
    if (rows.length) showLarge(this.panel, { label: "Keys", paint: () => ["Keys", list] });
  }
}

// The texts of a panel at full length, one at a time.
function showTexts(panel, first) {
  const texts = [...panel.querySelectorAll(".ink-card")].filter((card) => card.querySelector(".ink-text"));
  let at = texts.indexOf(first);
  showLarge(panel, {
    label: "Text",
    step: (by) => (at = Math.min(Math.max(at + by, 0), texts.length - 1)),
    paint: () => {
      const text = texts[at].querySelector(".ink-text").cloneNode(true);
      const numbers = texts[at].querySelector(".ink-num");
      return [texts[at].querySelector("header b").textContent, text, ...(numbers ? [numbers.cloneNode(true)] : [])];
    },
  });
}

// Links each field of the panel with what is wrong with it.
function linkProblems(panel, problems) {
  for (const field of panel.querySelectorAll(".ink-field")) {
    if (field.closest(".ink-panel") !== panel) continue;
    const control = field.querySelector("input, textarea, select");
    const reason = field.querySelector(".ink-why"); // there while there is one
    const name = [...field.classList].find((each) => each.startsWith("ink-field-"))?.slice(10);
    if (!control) continue;
    if (reason) reason.id ||= `${control.id || name}-why`;
    mark(control, "aria-invalid", name in problems ? "true" : null);
    mark(control, "aria-describedby", name in problems && reason ? reason.id : null);
  }
}

// Gives the focus back where what had it was taken away or switched off, such as an answered question; a button
// that is off while work goes on gets it back once it is on again.
function keepFocus(view, panel) {
  const trail = []; // where the focus was in this panel, the last place last
  const isUsable = (each) => each.isConnected && !each.disabled && each.offsetParent;
  const giveBack = () => {
    const last = trail.at(-1);
    if (!last || document.activeElement !== document.body) return;
    if (last.isConnected && last.disabled && view.model.get("working")) return;
    const follows = (each) => last.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING;
    const next = () => [...panel.querySelectorAll(CONTROLS)].find((each) => isUsable(each) && follows(each));
    (trail.findLast(isUsable) ?? next())?.focus({ preventScroll: true });
  };
  const soon = () => setTimeout(giveBack, 50);
  view.watch(new MutationObserver(soon), panel, { childList: true, subtree: true, attributeFilter: ["disabled"] });
  view.heed(soon, "change:working");
  const note = ({ target }) => {
    if (panel.contains(target)) trail.push(target);
    else trail.length = 0;
    trail.splice(0, trail.length - 12);
  };
  view.listen(window, "focusin", note, true);
  // What is left alone by the person is still there a moment later.
  view.listen(panel, "focusout", ({ target, relatedTarget }) => {
    if (!relatedTarget) setTimeout(() => isUsable(target) && document.activeElement === document.body && (trail.length = 0));
  });
}

// Scrolls to what is shown, once it is on the page.
function reveal(place) {
  const arrived = new ResizeObserver(() => {
    if (!place.offsetHeight) return;
    place.scrollIntoView({ block: "nearest" });
    arrived.disconnect();
  });
  if (place) arrived.observe(place);
}

export default widget(Status);
