// Animates changes of a board: parts with a key move to their new place, and turn over if they show something else.

const MOVE = 450;
// The face of a part: what it shows, without its position and frame.
const faceOf = (node) => (
  node.innerHTML.replace(/ (transform|x|y|d|stroke-width)="[^"]*"/g, "").replace(/class="(\S+) s\w+"/g, 'class="$1"')
);
// Positions are in units of the drawing, independent of zoom and of the part that is visible.
export const seen = (svg, across) => [...svg.querySelectorAll("[data-key]")].map((node) => {
  const box = node.getBoundingClientRect(), whole = svg.getBoundingClientRect(), unit = whole.width / across || 1;
  const width = box.width / unit, texts = node.querySelectorAll("text");
  return {
    node,
    key: node.dataset.key,
    x: (box.left - whole.left) / unit + width / 2,
    y: (box.top - whole.top + box.height / 2) / unit,
    width,
    face: faceOf(node),
    number: texts.length === 1 && /^[−-]?\d+$/.test(texts[0].textContent) ? texts[0] : null,
  };
});
const isNear = (one, other) => Math.hypot(one.x - other.x, one.y - other.y) < 6;
const value = (text) => Number(text.textContent.replace("−", "-"));
const run = (node, frames) => node.animate(frames, { duration: MOVE, easing: "ease-in-out", fill: "backwards" });
const count = (text, from, to) => {
  const start = performance.now(), last = text.textContent;
  const step = () => {
    const share = Math.min(1, (performance.now() - start) / MOVE);
    if (!text.isConnected) return;
    text.textContent = share < 1 ? String(Math.round(from + (to - from) * share)).replace("-", "−") : last;
    if (share < 1) requestAnimationFrame(step);
  };
  step();
  run(text, [{ transform: "scale(1)" }, { transform: "scale(1.5)" }, { transform: "scale(1)" }]);
};
// Lets a copy of a part fly to another part and vanish.
const fly = (svg, part, to) => {
  const ghost = part.node.cloneNode(true);
  ghost.removeAttribute("data-key");
  if (!part.node.isConnected) svg.append(ghost);
  else part.node.parentNode.append(ghost);
  const away = `translate(${to.x - part.x}px, ${to.y - part.y}px)`;
  run(ghost, [{ transform: "none", opacity: 1 }, { transform: away, opacity: 0.2 }])
    .finished.finally(() => ghost.remove()).catch(() => {});
};
// The keyframes from a part's old state to the new one; null if nothing has changed.
const changeOf = (part, old, isTurned, isMoved) => {
  const scale = old.width / part.width || 1;
  const away = `translate(${old.x - part.x}px, ${old.y - part.y}px) scale(${scale})`;
  if (part.node.dataset.change === "roll" && isTurned) return [{ transform: "rotate(-300deg) scale(.5)" }];
  if (isTurned && !isMoved) return [{ transform: "scale(0, 1.08)" }];
  if (isTurned) return [{ transform: `${away} scale(1)` }, { transform: "scale(0, 1.05)", offset: 0.8 }];
  return isMoved ? [{ transform: away }] : null;
};
export const animate = (svg, before, across) => {
  const after = seen(svg, across), left = new Map();
  for (const part of before) left.set(part.key, [...(left.get(part.key) || []), part]);
  const take = (part, isMeant) => {
    const those = left.get(part.key) || [], at = those.findIndex(isMeant);
    return at < 0 ? null : those.splice(at, 1)[0];
  };
  const pairs = after.map((part) => [part, take(part, (old) => isNear(old, part))]);
  for (const pair of pairs) pair[1] ||= take(pair[0], () => true);
  const gone = () => [...left.values()].flat();
  for (const pair of pairs.filter(([, old]) => !old)) {
    // A different card at the same place is the same card, turned over.
    const old = gone().find((one) => isNear(one, pair[0]));
    if (old) { take({ key: old.key }, (one) => one === old); pair[1] = old; }
  }
  for (const [part, old] of pairs) {
    if (!old) { run(part.node, [{ opacity: 0, transform: "scale(.6)" }, { opacity: 1, transform: "none" }]); continue; }
    const isTurned = old.face !== part.face, isMoved = !isNear(old, part);
    if (part.number && old.number && isTurned) {
      const [from, to] = [value(old.number), value(part.number)];
      const source = to > from && part.node.dataset.from && after.find(({ key }) => key === part.node.dataset.from);
      count(part.number, from, to);
      if (source) fly(svg, source, part);
      continue;
    }
    const change = changeOf(part, old, isTurned, isMoved);
    if (change) run(part.node, [...change, { transform: "none" }]);
  }
  for (const old of gone()) {
    const target = after.find(({ key }) => key === old.key);
    if (target) fly(svg, old, target);
  }
};
