// What every module here uses. Text from a service only ever becomes a text node or an attribute.

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) mark(element, name, value);
  element.append(...children);
  return element;
}

// Sets an attribute; null and false take it away.
function mark(element, name, value) {
  if (value === null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : value);
}

// Calls a painter now, and again whenever one of its traits changes; gives what ends that.
function follow(model, names, paint) {
  const changes = names.map((name) => `change:${name}`).join(" ");
  model.on(changes, paint);
  paint();
  return () => model.off(changes, paint);
}

// Puts a text field in an element's place. It ends with the text on Enter or when it is left, else with null.
function editInPlace(element, label, text, ended) {
  const input = make("input", { type: "text", "aria-label": label, value: text });
  let open = true;
  const end = (given) => {
    if (!open) return;
    open = false;
    input.replaceWith(element);
    ended(given);
  };
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter") end(input.value.trim());
    if (event.key === "Escape") end(null);
  });
  input.addEventListener("blur", () => end(input.value.trim()));
  element.replaceWith(input);
  input.focus();
  input.select();
}

