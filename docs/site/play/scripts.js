// Loads the scripts that hold a game, its rules or a network. They are scripts because a page on disk can load nothing
// else.

const folder = document.currentScript.src.replace(/[^/]*$/, ""), loads = {};

const loaded = (name) => new Promise((resolve, reject) => {
  const script = document.createElement("script");
  const failed = () => reject(new Error(`${name}.js cannot be loaded`));
  Object.assign(script, { src: `${folder}${name}.js`, onload: resolve, onerror: failed });
  document.head.append(script);
});

// Returns the content of a script, converted once by `make`.
export const held = (name, make = (one) => one) => (
  loads[name] ??= loaded(name).then(() => make(globalThis.RomansPlay[name]))
);
