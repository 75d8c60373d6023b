// The page "Play": Romans Go Home! against an agent, drawn from what the seat of the person may know. Nothing is loaded
// before a game is begun, and nothing from elsewhere.
"use strict";
(() => {
  const folder = document.currentScript.src.replace(/[^/]*$/, ""), loads = {};
  const load = (name) => loads[name] ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    Object.assign(script, { src: `${folder}${name}.js`, onload: resolve, onerror: () => reject(new Error(`${name}.js cannot be loaded`)) });
    document.head.append(script);
  });
  const all = () => globalThis.RomansPlay;
  const once = (name, make) => (loads[`made ${name}`] ??= load(name).then(() => make(all()[name])));
  const networkLoaded = () => once("network", (about) => all().Network.load(about));
  const made = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const button = (text, action, more = {}) => {
    const element = made("button", { type: "button", ...more }, ...[text].flat());
    element.addEventListener("click", action);
    return element;
  };
  const capital = (text) => text[0].toUpperCase() + text.slice(1);
  const percent = (share) => `${Math.round(100 * share)} %`;
  const drawn = () => Math.floor(1e6 * Math.random());
  const waits = (time) => new Promise((resolve) => { setTimeout(resolve, time); });
  const FRAME = `<form class="rp-new"><label>Against <select name="against"><option>tiro</option><option>greedy</option><option>legionary</option><option>hoarder</option><option>skirmisher</option></select></label>
    <label>Table <select name="table"><option>2+0</option><option>2+1</option></select></label>
    <label>Seed <input name="seed" inputmode="numeric" size="9" maxlength="10" autocomplete="off"></label>
    <label>Moves <select name="pace"><option value="1200">normal</option><option value="500">fast</option><option value="0">at once</option></select></label>
    <button>New game</button></form>
    <div class="rp-table" role="group" aria-label="The table"></div>
    <div class="rp-ask"><p class="rp-question" role="status"></p>
    <ol class="rp-choices" aria-label="Choices"></ol><p class="rp-tools"></p><div class="rp-end" hidden></div>
    <details class="rp-story"><summary>What happened</summary><ol role="log" aria-label="What happened" tabindex="0"></ol></details></div><div class="rp-after" hidden></div>`;

  const mount = async (root) => {
    root.innerHTML = FRAME;
    const get = (name) => root.querySelector(`.rp-${name}`), fields = root.querySelector("form").elements, said = get("story").querySelector("ol");
    get("question").textContent = "The rules are loaded…";
    await Promise.all([load("engine"), load("pieces")]);
    const { ME, FORMS, drawings, wording, Game, Rules } = all(), rules = await once("rules", (given) => Rules.load(given)), { about } = rules;
    let game, words, names, thoughts, shown, number = 0, isHurried = false, hurry = () => {};
    const tried = (done) => done.catch((error) => { get("question").textContent = `The game stops here: ${error.message}.`; });

    const isNarrow = () => root.clientWidth < 600;
    const draw = (f, legal) => {
      shown = [f, legal];
      const form = isNarrow() ? "narrow" : "wide", { card, fort, empty, captor, chip, mark } = drawings(about, FORMS[form]);
      const actions = legal.map((id) => about.actions[id]), kind = legal.length ? about.decisions[f.phase] : "";
      const named = (...wanted) => actions.filter((name) => wanted.includes(name));
      // A cell is a drawing with a name; where something can be chosen on it, it is a button for those who point.
      const cell = (drawing, label, wanted = [], title = "") => {
        const can = wanted.length === 1, element = made(can ? "button" : "span", can ? { type: "button", tabindex: -1 } : label ? { role: "img" } : {});
        element.className = `rp-cell${wanted.length ? " can" : ""}`;
        element.innerHTML = drawing;
        if (label) element.setAttribute("aria-label", can ? `${label}: ${words.choice(f, wanted[0])[1]}` : label);
        if (title) element.title = title;
        if (can) element.addEventListener("click", () => choose(about.actions.indexOf(wanted[0])));
        return element;
      };
      const warrior = (k, seat, look, where, wanted) => {
        const one = about.warriors[k], title = one && look !== "down" ? `${words.warrior(k)}. ${one.effect}` : "";
        return cell(card(one, seat, look), one ? `${words.warrior(k)}, ${where}` : "a card face-down", wanted, title);
      };
      const grid = (cells, count) => made("div", { class: "rp-row", style: `--columns: ${count}` }, ...Array.from({ length: count }, (_, k) => cells[k] ?? made("span")));
      const columns = form === "wide" ? 7 : 6;
      const wall = f.wall.map((k, slot) => {
        const isNow = slot === f.turn - 1, isNext = ["place", "reorder"].includes(kind) && slot === f.slot, by = isNow ? f.captor : -1;
        if (k < 0) return cell(captor(by, names[by]), by < 0 ? "" : `slot ${slot + 1}, captured by ${names[by]}`);
        return cell(fort(about.forts[k], isNow || isNext), `slot ${slot + 1}, ${words.fort(k)}`, named(`take:${slot + 1}`), `${words.fort(k)}. ${about.forts[k].effect}`);
      });
      const clan = (seat) => {
        const { turn } = f, cells = [], hand = words.kinds(f.hand, 8 * seat, 8), aside = f.set_aside[4 * f.round_index + seat];
        const earlier = words.faceUp(f, seat), revealed = turn ? f.revealed[seat] : -1;
        const chosen = (k, isNow) => {
          if (kind === "charm" && isNow) return named(`charm:+${seat}`);
          if (seat !== ME) return [];
          const isMeant = { axx: isNow && k === 3, unwary: k === Math.min(...words.faceUp(f, ME)) }[kind];
          return isMeant ? actions : named(`lose:${about.warriors[k].name}`);
        };
        if (revealed >= 0) {
          const isThere = earlier.includes(revealed) && !(revealed === 7 && f.wrecked);
          if (isThere) earlier.splice(earlier.indexOf(revealed), 1);
          cells[turn - 1] = warrior(revealed, seat, isThere ? (f.charmed === seat ? "charmed" : "now") : "gone", isThere ? "revealed" : "gone", isThere ? chosen(revealed, true) : []);
        }
        earlier.reverse().forEach((k, place) => { cells[turn - 1 - (revealed >= 0) - place] = warrior(k, seat, "", "face-up", chosen(k, false)); });
        const laid = f.line.slice(6 * seat, 6 * seat + 6);
        for (let slot = turn; slot < 6; slot += 1) {
          if (laid[slot] !== -1) cells[slot] = warrior(laid[slot], seat, "down", `face-down in slot ${slot + 1}`);
          else if (f.phase !== about.phases.game_over) cells[slot] = cell(empty(), "");
        }
        if (aside >= 0 && form === "wide") cells[6] = warrior(aside, seat, "aside", "set aside");
        const isFull = seat !== ME && seat < game.table.setup.num_players && [about.phases.discard, about.phases.place].includes(f.phase);
        const forts = words.captured(f, seat), chips = made("span", { class: "rp-chips" }, ...[...new Set(forts)].map((k) => {
          const copies = forts.filter((one) => one === k).length, wanted = seat === ME ? named(`give_up:${about.forts[k].name}`) : [];
          return cell(chip(about.forts[k], copies), `${words.fort(k)}, captured${copies > 1 ? `, ${copies} of them` : ""}`, wanted, about.forts[k].effect);
        }));
        const total = revealed >= 0 && f.total.some(Boolean) ? (revealed === 5 ? made("span", {}, "does not fight") : made("span", {}, "total ", made("b", { class: f.captor === seat ? "rp-total won" : "rp-total" }, f.total[seat]))) : "";
        const note = isFull ? "7 in hand" : seat === ME && aside >= 0 && form === "narrow" ? `aside: ${words.warrior(aside)}` : "";
        const head = made("div", { class: "rp-head" }, made("b"), chips, made("span", { class: "rp-note" }, note), total, made("span", {}, made("b", {}, `${f.points[seat]}`.replace("-", "\u2212")), f.points[seat] === 1 ? " point" : " points"));
        head.firstChild.innerHTML = `${mark(seat)} ${capital(names[seat])}`;
        const held = hand.map((k) => warrior(k, seat, "hand", "in hand", named(...["discard", "place", "reorder"].map((verb) => `${verb}:${about.warriors[k].name}`))));
        const look = { class: seat === ME && legal.length ? "rp-clan asked" : "rp-clan", "aria-label": capital(names[seat]) };
        return made("section", look, head, grid(cells, columns), held.length ? grid(held, 7) : "");
      };
      const lost = words.kinds(f.lost_forts, 0, 11).map(words.fort).join(", "), where = f.turn ? `turn ${f.turn} of 6` : "planning";
      const title = made("p", { class: "rp-title" }, made("b", {}, `Round ${f.round_index + 1}, ${where}`), made("span", {}, lost && `lost: ${lost}`));
      get("table").replaceChildren(title, grid(wall, columns), ...names.map((_, seat) => clan(seat)).reverse());
    };
    new ResizeObserver(() => { if (shown && root.dataset.form !== String(isNarrow())) { root.dataset.form = String(isNarrow()); draw(...shown); } }).observe(root);

    // The keyboard walks through the choices; their numbers choose, too.
    const ask = () => {
      const f = game.known(ME), legal = game.legal(), isHere = document.activeElement === document.body || root.contains(document.activeElement);
      thoughts.push({ f, legal, observation: game.observation() });
      draw(f, legal);
      get("question").textContent = words.question(f);
      get("choices").replaceChildren(...legal.map((id, k) => (
        made("li", {}, button([made("kbd", {}, k + 1), ` ${words.choice(f, about.actions[id])[0]}`], () => choose(id), { "data-action": about.actions[id] }))
      )));
      // Whoever opens the page is left where he is.
      if (isHere && (number > 1 || thoughts.length > 1)) get("choices").querySelector("button").focus({ preventScroll: true });
    };
    const say = (line) => {
      said.append(made("li", line.startsWith("Round") ? { class: "head" } : {}, capital(line)));
      said.scrollTop = said.scrollHeight;
      get("question").textContent = capital(line);
    };
    // Plays an action and shows what follows, a look at a time.
    const play = async (action, mine) => {
      for (const line of game.act(action, ME).flatMap((step) => words.story(step).map((one) => one ?? step.after))) {
        if (mine !== number) return;
        if (typeof line === "string") say(line);
        else if (Number(fields.pace.value) && !isHurried) {
          draw(line, []);
          await Promise.race([waits(Number(fields.pace.value)), new Promise((resolve) => { hurry = resolve; })]);
        }
      }
    };
    // The agent decides, until the person is asked or the game is over.
    const goOn = async (mine) => {
      while (mine === number && !game.isOver && game.seat !== ME) {
        if (game.rival === "tiro" && !all().network) get("question").textContent = "The network is loaded…";
        const network = game.rival === "tiro" && await networkLoaded();
        if (mine === number) await play(network ? network.act(game) : game.scripted(about.scripted[game.rival]), mine);
      }
      const network = game.isOver && await networkLoaded().catch(() => null);
      if (mine !== number) return;
      get("tools").className = game.isOver ? "rp-tools" : "rp-tools asked";
      (game.isOver ? end : ask)(network);
      root.dataset.asked = thoughts.length + game.isOver;
    };
    const choose = async (action) => {
      const mine = number;
      if (!get("choices").children.length || !game.legal().includes(action)) return;
      thoughts.at(-1).chosen = action;
      get("choices").replaceChildren();
      get("tools").className = "rp-tools moving";
      isHurried = false;
      await play(action, mine);
      await tried(goOn(mine));
    };
    const hint = async () => {
      const mine = thoughts.at(-1), { win, probabilities } = (await networkLoaded()).opinion(mine.observation, mine.legal);
      if (mine !== thoughts.at(-1)) return;
      get("choices").querySelectorAll("button").forEach((one, k) => { one.dataset.share = percent(probabilities[k]); });
      get("question").textContent = `${words.question(mine.f)} tiro sees a chance to win of ${percent(win)}.`;
    };
    const end = (network) => {
      const f = game.known(ME), winners = game.winners().map((clan) => names[game.table.clans.indexOf(clan)]);
      draw(f, []);
      get("question").textContent = `${capital(winners.join(" and "))} ${winners.length > 1 || winners[0] === "you" ? "win" : "wins"}: ${names.map((name, seat) => `${name} ${f.points[seat]}`).join(", ")}.`;
      const file = `romans-go-home-${game.name}-seed-${game.seed}.json`, record = JSON.stringify(game.record({ player_0: null, player_1: game.rival }));
      const save = made("a", { class: "rp-button", download: file, href: URL.createObjectURL(new Blob([`${record}\n`], { type: "application/json" })) }, "Save the record");
      const again = button("Next seed", () => begin(game.seed + 1));
      const rows = network ? thoughts.map(({ f: then, legal, observation, chosen }) => {
        const { win, probabilities } = network.opinion(observation, legal), best = probabilities.indexOf(Math.max(...probabilities));
        const called = (id) => capital(words.choice(then, about.actions[id])[1]);
        return [`${then.round_index + 1}.${then.turn}`, called(chosen), percent(probabilities[legal.indexOf(chosen)]), legal[best] === chosen ? "the same" : called(legal[best]), percent(win)];
      }) : [];
      const line = (tag, cells) => made("tr", {}, ...cells.map((text) => made(tag, {}, text)));
      const table = made("table", {}, made("thead", {}, line("th", ["round.turn", "you", "tiro: how likely", "tiro's first choice", "to win"])), made("tbody", {}, ...rows.map((row) => line("td", row))));
      const why = f.legion_winner >= 0 ? "Three Legion forts win at once." : "After three rounds most points win, then most forts.";
      const python = made("p", {}, "In Python: ", made("code", {}, `romans replay ${file}`), ", or the same deal again: ", made("code", {}, `romans play --table ${game.name} --seed ${game.seed}`));
      get("end").replaceChildren(made("p", {}, why), made("p", { class: "rp-tools" }, again, save), python);
      get("after").replaceChildren(made("b", {}, "What tiro thought of your choices"), made("div", { class: "rp-scroll", tabindex: 0, role: "group", "aria-label": "What tiro thought of your choices" }, table));
      get("end").hidden = get("after").hidden = false;
      again.focus({ preventScroll: true });
    };
    const begin = (seed) => {
      number += 1;
      hurry();
      fields.seed.value = seed;
      delete fields.seed.dataset.isTyped;
      game = Object.assign(new Game(rules, fields.table.value, seed), { rival: fields.against.value });
      names = ["you", game.rival, "neutral"].slice(0, game.table.clans.length);
      words = wording(about, names);
      thoughts = [];
      get("end").hidden = get("after").hidden = true;
      for (const one of [get("choices"), said]) one.replaceChildren();
      say("Round 1");
      tried(goOn(number));
    };
    fields.seed.addEventListener("input", () => { fields.seed.dataset.isTyped = "yes"; });
    root.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      const wanted = fields.seed.value.trim();
      if (!/^\d+$/.test(wanted) || Number(wanted) >= 2 ** 32) get("question").textContent = "A seed is an integer from 0 to 4294967295.";
      else begin(fields.seed.dataset.isTyped ? Number(wanted) : drawn());
    });
    const hinting = button(["Hint ", made("kbd", {}, "H")], () => tried(hint()), { class: "rp-hint" });
    get("tools").append(hinting, button(["Skip ", made("kbd", {}, "S")], () => { isHurried = true; hurry(); }, { class: "rp-skip" }));
    document.addEventListener("keydown", (event) => {
      const isHere = event.target === document.body || root.contains(event.target);
      if (!isHere || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select")) return;
      const buttons = [...get("choices").querySelectorAll("button")], at = buttons.indexOf(document.activeElement);
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (step && at >= 0) buttons[(at + step + buttons.length) % buttons.length].focus();
      else if (buttons[event.key - 1]) buttons[event.key - 1].click();
      else if (event.key === "h" && buttons.length) hinting.click();
      else if (event.key === "s") get("skip").click();
      else return;
      event.preventDefault();
    });
    networkLoaded().catch(() => {});
    begin(Number(new URLSearchParams(location.search).get("seed") ?? drawn()) >>> 0);
  };

  for (const root of document.querySelectorAll(".romans-play")) {
    const start = () => mount(root).catch((error) => { root.textContent = `The game cannot be played here: ${error.message}.`; });
    // On the page "Play" a game begins at once; elsewhere when it is asked for.
    if (root.dataset.waits) root.append(button("Play it here, against tiro", start));
    else start();
  }
})();
