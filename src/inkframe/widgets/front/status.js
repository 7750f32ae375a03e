// What goes on in a panel and what went wrong. It also gives the panel's own controls what they lack: the link
// from a field to its problem, keys and a focus that stay here, and a way to bring something into view.

const CONTROLS = "button, input, select, textarea, [tabindex='0']";
const TICK = 100;
const BRIEF = 250; // milliseconds: work that takes no longer is not spoken of

function progress(model) {
  const fill = make("i");
  const bar = make("div", { class: "ink-progress", role: "progressbar", "aria-label": "Progress" }, fill);
  const end = follow(model, ["working", "done", "total"], () => {
    const [done, total] = [model.get("done"), model.get("total")];
    bar.hidden = !model.get("working");
    bar.classList.toggle("ink-endless", !total);
    mark(bar, "aria-valuemin", total ? 0 : null);
    mark(bar, "aria-valuemax", total || null);
    mark(bar, "aria-valuenow", total ? done : null);
    fill.style.width = total ? `${(100 * done) / total}%` : "";
  });
  return [bar, end];
}

function statusLine(model) {
  const said = make("span", { role: "status", "aria-live": "polite" });
  const clock = make("span", { class: "ink-clock", "aria-hidden": "true" });
  const cancel = make("button", { type: "button", class: "ink-link" }, "Cancel");
  cancel.addEventListener("click", () => model.send({ kind: "cancel" }));
  let began = 0;
  let timer = 0;
  const tick = () => {
    if (performance.now() - began < BRIEF) return;
    clock.textContent = ` · ${((performance.now() - began) / 1000).toFixed(1)} s`;
    paint();
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    clock.textContent = "";
  };
  const paint = () => {
    const [working, done, total] = [model.get("working"), model.get("done"), model.get("total")];
    if (working && !timer) {
      began = performance.now();
      timer = setInterval(tick, TICK);
    } else if (!working) stop();
    if (working && performance.now() - began < BRIEF) return; // what stood there may stand a little longer
    const count = working && total ? ` ${done} of ${total}` : "";
    const hint = model.get("hint") && ` ${model.get("hint")}`;
    const text = working ? `${working}…${count}${hint}` : model.get("text");
    if (said.textContent !== text) said.textContent = text;
    cancel.hidden = !(working && model.get("cancels"));
  };
  const end = follow(model, ["working", "hint", "text", "cancels", "done", "total"], paint);
  const keys = make("button", { type: "button", class: "ink-link ink-keys", "aria-label": "Keys (?)", title: "Keys (?)" }, "?");
  keys.addEventListener("click", () => showKeys(keys.closest(".ink-panel"), model));
  const offer = follow(model, ["key_words"], () => (keys.hidden = !Object.keys(model.get("key_words")).length));
  return [make("div", { class: "ink-line" }, said, clock, cancel, keys), () => (stop(), offer(), end())];
}

// The keys of the panel, in a view of their own.
function showKeys(panel, model) {
  const rows = Object.entries(model.get("key_words")).flatMap(([key, words]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, words)]);
  if (rows.length) showLarge(panel, { label: "Keys", paint: () => ["Keys", make("dl", { class: "ink-key-list" }, ...rows)] });
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

function alert(model) {
  const box = make("div", { class: "ink-alert", role: "alert" });
  const end = follow(model, ["alert"], () => {
    box.textContent = model.get("alert");
    box.hidden = !box.textContent;
  });
  return [box, end];
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

// Keeps plain keys in the panel: JupyterLab would take arrows for itself, and delete the cell on two d.
// What is typed into text it leaves alone, and keys with Ctrl or Cmd are its own.
function keepKeys(event, panel) {
  if (!panel?.contains(event.target)) return;
  const own = !(event.ctrlKey || event.metaKey || event.target.matches(":read-write"));
  mark(event.target, "data-lm-suppress-shortcuts", own ? "true" : null);
}

// Gives the focus back where what had it was taken away or switched off, such as an answered question; a button
// that is off while work goes on gets it back once it is on again.
function keepFocus(panel, model) {
  const trail = []; // where the focus was in this panel, the last place last
  const isUsable = (each) => each.isConnected && !each.disabled && each.offsetParent;
  const note = ({ target }) => {
    if (panel.contains(target)) trail.push(target);
    else trail.length = 0;
    trail.splice(0, trail.length - 12);
  };
  // What is left alone by the person is still there a moment later.
  const left = ({ target, relatedTarget }) => {
    if (!relatedTarget) setTimeout(() => isUsable(target) && document.activeElement === document.body && (trail.length = 0));
  };
  const giveBack = () => {
    const last = trail.at(-1);
    if (!last || document.activeElement !== document.body) return;
    if (last.isConnected && last.disabled && model.get("working")) return;
    const follows = (each) => last.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING;
    const next = () => [...panel.querySelectorAll(CONTROLS)].find((each) => isUsable(each) && follows(each));
    (trail.findLast(isUsable) ?? next())?.focus({ preventScroll: true });
  };
  const soon = () => setTimeout(giveBack, 50);
  const changes = new MutationObserver(soon);
  changes.observe(panel, { childList: true, subtree: true, attributeFilter: ["disabled"] });
  model.on("change:working", soon);
  addEventListener("focusin", note, true);
  panel.addEventListener("focusout", left);
  return () => {
    changes.disconnect();
    model.off("change:working", soon);
    removeEventListener("focusin", note, true);
    panel.removeEventListener("focusout", left);
  };
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

export default {
  render({ model, el }) {
    el.classList.add("ink-status");
    const parts = [progress, statusLine, alert].map((part) => part(model));
    el.append(...parts.map(([element]) => element));
    let release = null;
    const link = () => {
      const panel = el.closest(".ink-panel");
      if (!panel) return;
      linkProblems(panel, model.get("problems"));
      release ??= keepFocus(panel, model);
      for (const kind of ["click", "keydown"]) panel.addEventListener(kind, read); // once, as it is the same function
    };
    const guard = (event) => {
      const panel = el.closest(".ink-panel");
      keepKeys(event, panel);
      if (event.key === "?" && event.target.closest(".ink-panel") === panel && !event.target.matches(":read-write")) showKeys(panel, model);
    };
    const read = ({ target, key, type }) => {
      if (target.closest(".ink-panel") !== el.closest(".ink-panel") || target.closest("dialog")) return;
      const text = key === "Enter" ? target.closest(".ink-text") : type === "click" && target.closest(".ink-open");
      if (text) showTexts(el.closest(".ink-panel"), text.closest(".ink-card"));
    };
    const heed = ({ kind, where }) => {
      if (kind === "reveal") reveal(el.closest(".ink-panel")?.querySelector(where));
      if (kind === "settle") model.send({ kind: "settled" });
    };
    addEventListener("keydown", guard, true);
    model.on("change:problems", link);
    model.on("msg:custom", heed);
    model.send({ kind: "shown" });
    // Panels come to the page after they were made.
    const arrival = new ResizeObserver(link);
    arrival.observe(el);
    return () => {
      arrival.disconnect();
      release?.();
      for (const kind of ["click", "keydown"]) el.closest(".ink-panel")?.removeEventListener(kind, read);
      removeEventListener("keydown", guard, true);
      model.off("change:problems", link);
      model.off("msg:custom", heed);
      parts.forEach(([, end]) => end());
    };
  },
};
