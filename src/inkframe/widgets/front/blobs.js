// Files that come from the kernel as bytes: pictures to be shown, and downloads.

const KEPT_PICTURES = 320; // held at once: many screens full

// The pictures of a widget by key: an address in memory, or the reason why there is none.
class Pictures {
  constructor() {
    this.held = new Map();
    this.views = new Set();
  }

  take(keys, reasons, buffers) {
    let at = 0;
    for (const key of keys) {
      this.drop(key);
      const reason = reasons[key];
      const blob = reason === undefined && new Blob([buffers[at++]]);
      this.held.set(key, blob ? { url: URL.createObjectURL(blob) } : { reason });
    }
    for (const view of this.views) view.show(keys);
    this.trim();
  }

  trim() {
    for (const key of this.held.keys()) {
      if (this.held.size <= KEPT_PICTURES) return;
      if (![...this.views].some((view) => view.shows(key))) this.drop(key);
    }
  }

  drop(key) {
    const url = this.held.get(key)?.url;
    if (url) URL.revokeObjectURL(url);
    this.held.delete(key);
  }

  clear() {
    for (const key of [...this.held.keys()]) this.drop(key);
  }
}

// Hands a file to the person, as any download of the browser.
function save({ name, type }, [data]) {
  const url = URL.createObjectURL(new Blob([data], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// A widget whose pictures come from the kernel, once for all of its views.
function pictureWidget(name, View) {
  const pictures = new Pictures();
  return {
    initialize({ model }) {
      const take = (message, buffers) => {
        if (message.kind === "pictures") pictures.take(message.keys, message.reasons ?? {}, buffers);
        if (message.kind === "save") save(message, buffers);
        if (message.kind === "copy") navigator.clipboard?.writeText(message.text);
      };
      model.on("msg:custom", take);
      return () => {
        model.off("msg:custom", take);
        pictures.clear();
      };
    },
    render({ model, el }) {
      el.classList.add(name);
      const view = new View(model, pictures, el);
      return () => view.end();
    },
  };
}
