// Scripts beside the page, which hold a game, its rules or a network: a browser loads nothing else from a disk.

const folder = document.currentScript.src.replace(/[^/]*$/, ""), loads = {};

const loaded = (name) => new Promise((resolve, reject) => {
  const script = document.createElement("script");
  const failed = () => reject(new Error(`${name}.js cannot be loaded`));
  Object.assign(script, { src: `${folder}${name}.js`, onload: resolve, onerror: failed });
  document.head.append(script);
});

// What a script holds, made once into what the page uses.
export const held = (name, make = (one) => one) => (
  loads[name] ??= loaded(name).then(() => make(globalThis.RomansPlay[name]))
);
