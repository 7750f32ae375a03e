// What every widget here is built on. Text from a service only ever becomes a text node, an attribute, or HTML that the
// kernel has made safe.

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) mark(element, name, value);
  element.append(...children);
  return element;
}

// Sets an attribute, or listens: { onclick: act }. Null and false take an attribute away.
function mark(element, name, value) {
  if (typeof value === "function") element.addEventListener(name.slice(2), value);
  else if (value === null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : value);
}

function button(words, act, attributes = {}) {
  return make("button", { type: "button", class: "ink-link", onclick: act, ...attributes }, words);
}

// Follows a pointer that was pressed on an element, until it is let go.
function drag({ currentTarget, pointerId }, move, end) {
  currentTarget.setPointerCapture(pointerId);
  currentTarget.onpointermove = move;
  currentTarget.onpointerup = (event) => {
    currentTarget.onpointermove = currentTarget.onpointerup = null;
    end(event);
  };
}

function newId() {
  return `ink-${crypto.randomUUID?.() ?? Math.random().toString(36).slice(2)}`;
}

// A widget on a page. Whatever outlives its element is ended with it: what it listens to, watches, and holds in memory.
class View {
  constructor(model, el) {
    Object.assign(this, { model, el, ends: [], urls: new Set() });
    this.ends.push(() => this.release([...this.urls]));
  }

  end() {
    this.ends.forEach((end) => end());
  }

  listen(target, kind, act, options) {
    target.addEventListener(kind, act, options);
    this.ends.push(() => target.removeEventListener(kind, act, options));
  }

  // Calls a function with the messages of the kernel, or when something else happens to the model.
  heed(act, kind = "msg:custom") {
    this.model.on(kind, act);
    this.ends.push(() => this.model.off(kind, act));
  }

  // Calls a painter with the values of some traits now, and again whenever one of them changes.
  follow(names, paint) {
    const show = () => paint(...names.map((name) => this.model.get(name)));
    this.heed(show, names.map((name) => `change:${name}`).join(" "));
    show();
  }

  watch(observer, target, options) {
    observer.observe(target, options);
    this.ends.push(() => observer.disconnect());
  }

  change(name, value) {
    this.model.set(name, value);
    this.model.save_changes();
  }

  // The address of a picture in memory.
  address(bytes) {
    const url = URL.createObjectURL(new Blob([bytes]));
    this.urls.add(url);
    return url;
  }

  release(urls) {
    for (const url of urls) if (this.urls.delete(url)) URL.revokeObjectURL(url);
  }
}

function widget(Kind) {
  return {
    render({ model, el }) {
      const view = new Kind(model, el);
      return () => view.end();
    },
  };
}
