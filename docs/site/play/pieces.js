// Drawings and words of the page "Play": cards and forts as SVG, and what happens in sentences, as `romans serve` has them.
"use strict";
(() => {
  const ME = 0, MINUS = "\u2212";
  const capital = (text) => text[0].toUpperCase() + text.slice(1);
  const listed = (words) => words.join(" and ");
  const FORMS = { wide: { wide: 101, high: 60, fort: 66 }, narrow: { wide: 54, high: 66, fort: 62 } };

  const drawings = (about, form) => {
    const { wide, high, fort } = form, band = high - 21;
    const sign = (name, size, x, y, ink) => `<g transform="translate(${x} ${y}) scale(${size / 24})">${about.signs[name].map(([kind, d]) => (
      kind === "fill" || kind === "hole" ? `<path d="${d}" fill="var(--${ink})" fill-rule="evenodd"/>`
        : `<path d="${d}" fill="none" stroke="var(--${ink})" stroke-width="${{ thin: 1.8, line: 2.6, thick: 4.6 }[kind]}"/>`
    )).join("")}</g>`;
    const text = (what, x, y, size, ink, more = "") => `<text x="${x}" y="${y}" font-size="${size}" text-anchor="middle" fill="var(--${ink})" ${more}>${what} </text>`;
    const svg = (content, tall = high) => `<svg viewBox="-2 -2 ${wide + 4} ${tall + 4}" aria-hidden="true">${content}</svg>`;
    const mark = (seat, size, x = 0, y = 0, ink = `c${seat}`) => `<path transform="translate(${x} ${y}) scale(${size / 24})" d="${about.marks[seat]}" fill="var(--${ink})"/>`;
    const frame = (fill, stroke, thick, more = "") => `<rect width="${wide}" height="${high}" rx="6" fill="${fill}" stroke="${stroke}" stroke-width="${thick}" ${more}/>`;
    const back = (seat) => {
      let lines = "";
      for (let k = 10; k < wide + high - 4; k += 9) {
        const left = Math.max(0, k - high), right = Math.min(k, wide);
        lines += `M${left} ${k - left}L${right} ${k - right}`;
      }
      return `${frame(`var(--k${seat})`, "none", 0)}<path d="${lines}" stroke="var(--m${seat})" stroke-width="1.2" stroke-opacity=".3"/>`;
    };
    const face = ({ name, title, strength }, ink, nameInk) => {
      const size = Math.min(26, 0.42 * wide), middle = band / 2 + 1, length = 7.4 * title.length > wide - 6 ? `textLength="${wide - 6}" lengthAdjust="spacingAndGlyphs"` : "";
      return sign(name, size, 0.29 * wide - size / 2, middle - size / 2, ink)
        + text(title, wide / 2, high - 7, wide < 60 ? 12 : 13, nameInk, `font-weight="700" ${length}`)
        + text(strength, 0.73 * wide, middle + 9, 26, ink, 'font-weight="700"');
    };
    return {
      mark: (seat) => `<svg viewBox="0 0 24 24" aria-hidden="true" class="rp-mark">${mark(seat, 24)}</svg>`,
      empty: (label = "") => svg(`<rect width="${wide}" height="${high}" rx="6" fill="var(--line)" fill-opacity=".4"/>${label && text(label, wide / 2, high / 2 + 4, 12, "muted")}`),
      // A warrior, or null for the back of one; its look is "", "now" and "charmed", "gone", "down", "aside" or "hand".
      card: (warrior, seat, look) => {
        if (!warrior) return svg(`${back(seat)}<circle cx="${wide / 2}" cy="${high / 2}" r="15" fill="var(--k${seat})"/>${mark(seat, 16, wide / 2 - 8, high / 2 - 8, `m${seat}`)}`);
        if (look === "down") return svg(`${back(seat)}<rect x="4" y="5" width="${wide - 8}" height="${high - 10}" rx="4" fill="var(--card)"/>${face(warrior, "muted", "muted")}`);
        const isPale = ["gone", "aside"].includes(look), isNow = ["now", "charmed"].includes(look);
        return svg(frame("var(--card)", "none", 0)
          + (isPale ? "" : `<path d="M0 ${band}V6a6 6 0 0 1 6-6H${wide - 6}a6 6 0 0 1 6 6V${band}z" fill="var(--c${seat})"/>`)
          + face(warrior, isPale ? "muted" : `o${seat}`, isPale ? "muted" : "ink") + frame("none", isNow ? "var(--ink)" : `var(--c${seat})`, isNow ? 3 : 1.6)
          + (look === "aside" && wide > 60 ? `<g transform="translate(10.5 ${band / 2 + 1}) rotate(-90)">${text("aside", 0, 0, 10.5, "muted")}</g>` : "")
          + (look === "gone" ? `<path d="M6 ${high - 6}L${wide - 6} 6" stroke="var(--muted)" stroke-width="2"/>` : "")
          + (look === "charmed" ? `<circle cx="${wide - 8}" cy="8" r="8" fill="var(--ink)"/>${text("\u2665", wide - 8, 12, 11, "card")}` : ""));
      },
      fort: ({ kind, points }, isNow) => {
        const step = wide / 9, ink = kind === "legion" ? "onlegion" : "ink", size = Math.min(28, 0.36 * wide), middle = 0.5 * (fort - 32);
        let d = `M0 ${fort}V0`;
        for (let k = 0; k < 5; k += 1) d += `H${(2 * k + 1) * step}${k < 4 ? `V8H${(2 * k + 2) * step}V0` : ""}`;
        return svg(`<path d="${d}V${fort}z" fill="var(--${kind === "legion" ? "legion" : "stone"})" stroke="var(--${isNow ? "ink" : "edge"})" stroke-width="${isNow ? 3.2 : 1.2}"/>`
          + sign(kind, size, 0.28 * wide - size / 2, 12 + middle - size / 2, ink)
          + text(kind, wide / 2, fort - 6, 13, ink) + text(`${points}`.replace("-", MINUS), 0.7 * wide, 20 + middle, wide > 60 ? 24 : kind === "legion" ? 17 : 22, ink, 'font-weight="700"'), fort);
      },
      captor: (seat, name) => svg(`<rect y="10" width="${wide}" height="${fort - 10}" rx="4" fill="var(--line)" fill-opacity=".4"/>${seat < 0 ? "" : mark(seat, 18, wide / 2 - 9, 16) + text(name, wide / 2, 52, 12, "ink", 'font-weight="700"')}`, fort),
      chip: ({ kind, points }, copies) => `<span class="rp-chip ${kind}"><svg viewBox="0 0 24 24" aria-hidden="true">${sign(kind, 24, 0, 0, kind === "legion" ? "onlegion" : "ink")}</svg>${`${points}`.replace("-", MINUS)}</span>${copies > 1 ? `<small>\u00d7${copies}</small>` : ""}`,
    };
  };

  const wording = (about, names) => {
    const warrior = (k) => `${about.warriors[k].title} ${about.warriors[k].strength}`, title = (k) => about.warriors[k].title;
    const fort = (k) => `${capital(about.forts[k].kind)} ${about.forts[k].points}`.replace("-", MINUS);
    const does = (seat, verb, rest = "") => `${names[seat]} ${seat === ME ? verb.replace(/e?s$/, (end) => (verb === "does" ? "" : end.slice(0, -1))) : verb}${rest && ` ${rest}`}`;
    const kinds = (counts, first, count) => counts.slice(first, first + count).flatMap((copies, k) => Array(Math.max(0, copies)).fill(k));
    const faceUp = (f, seat) => kinds(f.face_up, 8 * seat, 8), captured = (f, seat) => kinds(f.forts, 11 * seat, 11);
    const nextSlot = (f) => f.slot + 1;
    const question = (f) => {
      const kind = about.decisions[f.phase], place = `slot ${nextSlot(f)}${f.wall[f.slot] >= 0 ? `, for ${fort(f.wall[f.slot])}` : ""}`;
      const calls = [f.revealed[ME] === 6 && f.captor !== ME ? "Horsie did not capture" : "", f.captured >= 0 && about.forts[f.captured].kind === "signal" ? "Signal fort" : ""];
      return {
        discard: "Planning: which warrior do you set aside for this round?",
        place: `Planning: who goes into ${place}?`,
        reorder: `Zvord, new order: who goes into ${place}?`,
        charm: "Qween: whose warrior do you charm? Its strength counts for you in this turn.",
        take: "Dru'hid: which fort do you capture? The fort of this turn goes into its slot.",
        axx: "Axx captured: does he stay face-up, to count again in the next turn?",
        unwary: `Unwary fort: does ${faceUp(f, ME).slice(0, 1).map(warrior)} stay face-up, to count again in the next turn?`,
        lose: `${listed(calls.filter(Boolean))}: which face-up warrior do you discard?`,
        give_up: "Tax-collector: which fort do you give up?",
      }[kind];
    };
    // An action in a word or two, and as a phrase.
    const choice = (f, name) => {
      const [kind, what] = name.split(":"), known = about.warriors.findIndex((one) => one.name === what);
      if (known >= 0) return [warrior(known), { discard: `set ${warrior(known)} aside`, lose: `discard ${warrior(known)}` }[kind] ?? `put ${warrior(known)} into slot ${nextSlot(f)}`];
      if (kind === "charm") return [`${names[Number(what)]}: ${warrior(f.revealed[Number(what)])}`, `charm ${warrior(f.revealed[Number(what)])}`];
      if (kind === "take") return [`${fort(f.wall[what - 1])} of slot ${what}`, `capture ${fort(f.wall[what - 1])}`];
      if (kind === "give_up") return [fort(about.forts.findIndex((one) => one.name === what)), `give up ${fort(about.forts.findIndex((one) => one.name === what))}`];
      return what === "keep" ? ["yes, keep face-up", "keep it face-up"] : ["no, discard", "discard it"];
    };
    // What a step of the game shows, in lines; null in the place of a line asks for a look at the board.
    const story = ({ before, after }) => {
      const phases = about.phases, lines = [], seats = names.map((_, seat) => seat);
      const fighting = seats.filter((seat) => after.revealed[seat] !== 5), most = Math.max(...fighting.map((seat) => after.total[seat]));
      const level = fighting.filter((seat) => after.total[seat] === most);
      if (before.phase === phases.reveal) {
        lines.push(`Turn ${after.turn}, for ${fort(after.wall[after.turn - 1])}: ${seats.map((seat) => `${names[seat]} ${title(after.revealed[seat])}`).join(", ")}`);
        if (after.wrecked) lines.push("The Ch'ariotts wreck each other");
        lines.push(null);
      }
      if (before.phase === phases.capture) {
        lines.push(`Totals: ${seats.map((seat) => (fighting.includes(seat) ? `${names[seat]} ${after.total[seat]}` : `${does(seat, "does", "not fight")}`)).join(", ")}`
          + (after.charmed < 0 ? "" : `; Qween charms ${warrior(after.revealed[after.charmed])} of ${names[after.charmed]}`));
        const lost = after.lost_forts.findIndex((copies, k) => copies > before.lost_forts[k]);
        if (after.captor < 0) lines.push(`Nobody captures: ${level.length ? `${listed(level.map((seat) => names[seat]))} are level` : "nobody fights"}; ${fort(lost)} is lost`, null);
      }
      if (before.captured < 0 && after.captured >= 0) lines.push(does(after.captor, "captures", fort(after.captured)) + (level.length > 1 ? ": Arch'r wins the tie" : ""), null);
      if ([phases.horsie, phases.signal].includes(before.phase)) {
        for (const seat of seats) for (let k = 0; k < 8; k += 1) if (after.face_up[8 * seat + k] < before.face_up[8 * seat + k]) lines.push(does(seat, "loses", warrior(k)));
      }
      if (before.phase === phases.unwary && before.captor >= 0 && after.phase !== phases.unwary && faceUp(after, before.captor).length) lines.push(does(before.captor, "keeps", listed(faceUp(after, before.captor).map(warrior))));
      if (before.phase === phases.tax && after.captor >= 0) after.lost_forts.forEach((copies, k) => { if (copies > before.lost_forts[k]) lines.push(does(after.captor, "gives", `up ${fort(k)}`)); });
      if (after.phase === phases.turn_end && before.phase !== after.phase) lines.push(null);
      if (before.phase === phases.turn_end && after.phase !== phases.game_over && after.turn === 0) lines.push(`Round ${after.round_index + 1}`);
      return lines;
    };
    return { warrior, fort, question, choice, story, faceUp, captured, kinds, nextSlot };
  };
  Object.assign(globalThis.RomansPlay ??= {}, { ME, FORMS, drawings, wording });
})();
