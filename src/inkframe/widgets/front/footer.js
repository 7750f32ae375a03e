// The foot of a panel: what goes on, what went wrong, and the code that does the same. It also gives the
// panel's own controls what they lack: the link from a field to its problem, and keys that stay here.

const TICK = 100;

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
  const tick = () => (clock.textContent = ` · ${((performance.now() - began) / 1000).toFixed(1)} s`);
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    clock.textContent = "";
  };
  const end = follow(model, ["working", "text", "cancels", "done", "total"], () => {
    const [working, done, total] = [model.get("working"), model.get("done"), model.get("total")];
    const count = working && total ? ` ${done} of ${total}` : "";
    const text = working ? `${working}…${count}` : model.get("text");
    if (said.textContent !== text) said.textContent = text;
    cancel.hidden = !(working && model.get("cancels"));
    if (working && !timer) {
      began = performance.now();
      timer = setInterval(tick, TICK);
    } else if (!working) stop();
  });
  return [make("div", { class: "ink-line" }, said, clock, cancel), () => (stop(), end())];
}

function alert(model) {
  const box = make("div", { class: "ink-alert", role: "alert" });
  const end = follow(model, ["alert"], () => {
    box.textContent = model.get("alert");
    box.hidden = !box.textContent;
  });
  return [box, end];
}

function code(model) {
  const shown = make("code");
  const text = make("pre", { tabindex: 0, role: "region", "aria-label": "The same in Python" }, shown);
  const copy = make("button", { type: "button", class: "ink-link" }, "Copy");
  const box = make("div", { class: "ink-code" }, text, copy);
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(shown.textContent);
      copy.textContent = "Copied";
      setTimeout(() => (copy.textContent = "Copy"), 1500);
    } catch {
      getSelection().selectAllChildren(shown); // no clipboard here: the text is selected instead
    }
  });
  const end = follow(model, ["code"], () => {
    shown.textContent = model.get("code");
    box.hidden = !shown.textContent;
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

export default {
  render({ model, el }) {
    el.classList.add("ink-foot");
    const parts = [progress, statusLine, alert, code].map((part) => part(model));
    el.append(...parts.map(([element]) => element));
    const link = () => {
      const panel = el.closest(".ink-panel");
      if (panel) linkProblems(panel, model.get("problems"));
    };
    const guard = (event) => keepKeys(event, el.closest(".ink-panel"));
    addEventListener("keydown", guard, true);
    model.on("change:problems", link);
    // Panels come to the page after they were made.
    const arrival = new ResizeObserver(link);
    arrival.observe(el);
    return () => {
      arrival.disconnect();
      removeEventListener("keydown", guard, true);
      model.off("change:problems", link);
      parts.forEach(([, end]) => end());
    };
  },
};
