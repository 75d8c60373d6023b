// The page of a server of games. It shows what the server sends, and sends back names of actions that it was sent:
// what is legal is decided there alone.

import { animate, seen } from "/motion.js";

const get = (id) => document.getElementById(id);
const made = (name, text = "", className = "") => {
  const element = document.createElement(name);
  if (text) element.textContent = text;
  if (className) element.className = className;
  return element;
};
const kept = {
  get: (name) => { try { return localStorage.getItem(name); } catch { return null; } },
  set: (name, value) => { try { localStorage.setItem(name, value); } catch { /* a browser that keeps nothing */ } },
};

// -- requests

class Refused extends Error {
  constructor(status, answer) {
    super(answer.error || `the server answers ${status}`);
    this.status = status;
    this.answer = answer;
  }
}

const ask = async (path, body) => {
  const request = body === undefined ? {} : {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
  };
  // 503: nothing was changed, and the same request may succeed in a moment.
  for (let wait = 500; ; wait *= 2) {
    let reply;
    try {
      reply = await fetch(path, { credentials: "same-origin", ...request });
    } catch {
      throw new Refused(0, { error: "the server does not answer: is it running?" });
    }
    const answer = await reply.json().catch(() => ({}));
    if (reply.ok) {
      if (wait > 500) say("");
      return answer;
    }
    if (reply.status !== 503 || wait > 16000) throw new Refused(reply.status, answer);
    say("The games cannot be kept just now. The page tries again by itself…");
    await new Promise((resolve) => { setTimeout(resolve, wait); });
  }
};

const say = (text) => {
  get("message").textContent = text;
  get("message").hidden = !text;
};
const tried = (action) => async (...given) => {
  try {
    say("");
    return await action(...given);
  } catch (error) {
    say(`${error.message[0].toUpperCase()}${error.message.slice(1)}${/[.?!]$/.test(error.message) ? "" : "."}`);
  }
};

// -- theme and rules

const theme = kept.get("theme");
if (theme) document.documentElement.dataset.theme = theme;
get("theme").addEventListener("click", () => {
  const root = document.documentElement, now = root.dataset.theme;
  const isDark = now ? now === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  kept.set("theme", root.dataset.theme);
});

const boardStyle = (game) => {
  if (document.querySelector(`link[data-board="${game}"]`)) return;
  const link = made("link");
  link.rel = "stylesheet";
  link.href = `/boards/${encodeURIComponent(game)}.css`;
  link.dataset.board = game;
  document.head.append(link);
};
// The sheets of a picture: of each its width, its height and its SVG.
const sheetsOf = ({ sheets, bands }) => {
  let next = 0;
  return sheets.map(([width, number]) => {
    let height = 0;
    const content = bands.slice(next, next += number).map(([high, svg]) => {
      const part = `<g transform="translate(0 ${height})">${svg}</g>`;
      height += high;
      return part;
    });
    return { width, height, svg: `<rect width="${width}" height="${height}" rx="10" class="bg"/>${content.join("")}` };
  });
};
const SVG = "http://www.w3.org/2000/svg";
const drawn = (svg, game, { width, height, svg: content }) => {
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("class", `board-${game}`);
  svg.innerHTML = content;
};
const PREPARING = "Preparing: code is compiled once", LONG = `${PREPARING}, which takes a minute or more…`;
const stills = new Set();
const allOffers = async () => {
  const offers = await ask("/api/offers");
  for (const { game, has_picture: isThere } of offers) if (isThere) stills.add(game);
  return offers;
};
// A shipped picture of a game; it is an ornament.
const still = (game) => (stills.has(game) ? [Object.assign(made("img"), { src: `/${game}.svg`, alt: "" })] : []);
// A small board, as soon as there is one, likewise.
const small = (game, path) => {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("aria-hidden", "true");
  boardStyle(game);
  ask(path).then((answer) => {
    const [sheet] = sheetsOf(answer.picture);
    // A map is cut at its upper and lower edge, rather than small.
    svg.setAttribute("preserveAspectRatio", sheet.width > 1.5 * sheet.height ? "xMidYMid meet" : "xMidYMid slice");
    drawn(svg, game, sheet);
  }).catch(() => {});
  return svg;
};

let rulesOf = null;
const tableOf = ({ title, columns, rows }) => {
  const table = made("table"), body = made("tbody"), scroll = made("div", "", "scroll");
  if (columns.some(Boolean)) {
    const head = made("thead"), row = made("tr");
    row.append(...columns.map((column) => made(column ? "th" : "td", column)));
    head.append(row);
    table.append(head);
  }
  for (const cells of rows) {
    const row = made("tr");
    row.append(...cells.map((cell, k) => {
      const element = made(k ? "td" : "th", cell);
      if (!k) element.scope = "row";
      return element;
    }));
    body.append(row);
  }
  table.append(body);
  scroll.append(table);
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "group");
  scroll.setAttribute("aria-label", title);
  return [made("h3", title), scroll];
};
// First the aim and a picture, then how a turn goes, which are the tables without heads; cards and all rules are opened.
const showRules = tried(async () => {
  if (!rulesOf || get("rules").open) return;
  const rules = await ask(`/api/rules/${rulesOf}`);
  get("rules-title").textContent = rules.title;
  const isBrief = ({ columns }) => !columns.some(Boolean);
  const parts = [...rules.aim.map((line) => made("p", line, "aim")), ...still(rulesOf)];
  parts.push(...rules.tables.filter(isBrief).flatMap(tableOf));
  const cards = made("details");
  cards.append(made("summary", "Every card in a sentence"), ...rules.tables.filter((table) => !isBrief(table)).flatMap(tableOf));
  if (cards.children.length > 1) parts.push(cards);
  const whole = made("details"), text = made("div", "", "scroll");
  if (rules.html) {
    text.innerHTML = rules.html;
    text.tabIndex = 0;
    text.setAttribute("role", "group");
    text.setAttribute("aria-label", "The whole rules");
    for (const heading of text.querySelectorAll("h1, h2, h3")) {
      const smaller = made(heading.tagName === "H1" ? "h3" : "h4");
      smaller.append(...heading.childNodes);
      heading.replaceWith(smaller);
    }
    whole.append(made("summary", "The whole rules, with their numbers"), text);
    parts.push(whole);
  }
  get("rules-text").replaceChildren(...parts);
  get("rules").showModal();
});
get("rules-open").addEventListener("click", showRules);
for (const name of ["rules", "menu", "setup"]) {
  get(`${name}-close`).addEventListener("click", () => get(name).close());
  get(name).addEventListener("click", (event) => { if (event.target === get(name)) get(name).close(); });
}
get("menu-open").addEventListener("click", () => get("menu").showModal());

// -- the list of games, and a new one

const ownGames = () => { try { return JSON.parse(kept.get("games") || "[]"); } catch { return []; } };
const remember = (id) => kept.set("games", JSON.stringify([id, ...ownGames().filter((other) => other !== id)].slice(0, 60)));

const MOST_BOARDS = 6, MOST_LISTED = 12;
const begin = async (body) => {
  const game = await ask("/api/games", body);
  remember(game.id);
  location.assign(`/games/${game.id}`);
};
const option = (value, text, title = "") => {
  const element = made("option", text);
  element.value = value;
  if (title) element.title = title;
  return element;
};
const stars = (level) => "●●●●●".slice(0, level) + "○○○○○".slice(level);
const button = (text, action, className = "") => {
  const element = made("button", text, className);
  element.type = "button";
  element.addEventListener("click", async () => {
    element.disabled = true;
    await tried(action)();
    element.disabled = false;
  });
  return element;
};

const home = async () => {
  get("home").hidden = false;
  const offers = await allOffers();
  const ranked = ({ agents }) => agents.filter(({ level }) => level).sort((one, other) => one.level - other.level);

  const card = (offer) => {
    const item = made("li", "", "card"), more = made("details"), ways = made("div", "", "row");
    const numbers = offer.setups.map(({ num_players: number }) => number), [least, most] = [Math.min(...numbers), Math.max(...numbers)];
    const facts = [`${least === most ? least : `${least} to ${most}`} player${most > 1 ? "s" : ""}`];
    if (offer.minutes) facts.push(`about ${offer.minutes} minutes`);
    const usual = (first, other) => {
      const [{ name, num_players: number }] = offer.setups;
      return { game: offer.game, setup: name, seats: Array.from({ length: number }, (_, k) => (k ? other : first)) };
    };
    const rival = { agent: offer.opponent }, you = { here: true };
    ways.append(
      button("With friends", () => begin(usual(you, { here: false }))),
      button("Watch agents", () => begin(usual({ agent: offer.adviser }, rival))),
      button("Set up…", () => setUp(offer)),
      button("Rules", () => { rulesOf = offer.game; return showRules(); }),
    );
    more.append(made("summary", "More"), ways);
    const play = button("Play", () => begin(usual(you, rival)), "main play");
    play.dataset.game = offer.game;
    play.setAttribute("aria-label", `Play ${offer.title}`);
    const status = made("p", facts.join(", "), "muted");
    status.setAttribute("role", "status");
    const slow = setTimeout(() => { status.textContent = `${PREPARING}…`; }, 400);
    ask(`/api/ready/${encodeURIComponent(offer.game)}`).catch(() => {}).finally(() => { clearTimeout(slow); status.textContent = facts.join(", "); });
    item.append(...still(offer.game), made("h2", offer.title), made("p", offer.sentence), status, play, more);
    return item;
  };

  const setUp = (offer) => {
    const setup = () => offer.setups.find(({ name }) => name === get("new-setup").value);
    const seat = (number) => {
      const item = made("li"), who = made("select"), name = made("input"), spec = made("input"), about = made("p", "", "muted");
      const [people, agents, more] = ["People", "Opponents, the weakest first", "More"].map((label) => Object.assign(made("optgroup"), { label }));
      people.append(option("here", number ? "a person at this screen" : "you"), option("link", "a person by private link"));
      agents.append(...ranked(offer).map(({ spec: text, name: called, level }) => option(`agent:${text}`, `${called} ${stars(level)}`)));
      more.append(...offer.agents.filter(({ level }) => !level).map(({ spec: text, name: called }) => option(`agent:${text}`, called)), option("other", "an agent with options…"));
      who.append(people, agents, more);
      if (!agents.children.length) agents.remove();
      who.value = number ? `agent:${offer.opponent}` : "here";
      who.setAttribute("aria-label", `Seat ${number + 1}`);
      name.placeholder = "name";
      name.maxLength = 24;
      name.setAttribute("aria-label", `Name in seat ${number + 1}`);
      spec.placeholder = "flat-mc:iterations=200";
      spec.setAttribute("aria-label", `Agent spec of seat ${number + 1}`);
      const change = () => {
        name.hidden = !["here", "link"].includes(who.value);
        spec.hidden = who.value !== "other";
        const found = offer.agents.find(({ spec: text }) => `agent:${text}` === who.value);
        about.textContent = found ? `${found.about}${found.level ? ` Level ${found.level} of 5.` : ""}` : "";
      };
      who.addEventListener("change", change);
      const mark = made("span", "●■▲◆"[number % 4], "mark");
      mark.setAttribute("aria-hidden", "true");
      item.append(mark, who, name, spec, about);
      item.chosen = () => {
        if (who.value === "other") return { agent: spec.value.trim() || offer.opponent };
        if (who.value.startsWith("agent:")) return { agent: who.value.slice(6) };
        return { name: name.value.trim() || null, here: who.value === "here" };
      };
      change();
      return item;
    };
    const seats = () => get("new-seats").replaceChildren(...Array.from({ length: setup().num_players }, (_, k) => seat(k)));
    get("setup-title").textContent = offer.title;
    get("new-setup").replaceChildren(...offer.setups.map(({ name, num_players: number }) => (
      option(name, /player/.test(name) || name === offer.title ? name : `${name} (${number} player${number > 1 ? "s" : ""})`)
    )));
    get("new-setup").closest("label").hidden = offer.setups.length < 2;
    get("new-setup").onchange = seats;
    get("new-fields").replaceChildren(...offer.fields.map(({ name, label, choices }) => {
      const element = made("label", `${label} `), select = made("select");
      select.dataset.name = name;
      select.append(...choices.map((choice) => option(JSON.stringify(choice), { true: "yes", false: "no" }[choice] || choice)));
      element.append(select);
      return element;
    }));
    seats();
    get("new").onsubmit = (event) => {
      event.preventDefault();
      const send = get("new").querySelector("[type=submit]");
      send.disabled = true;
      const fields = {};
      for (const select of get("new-fields").querySelectorAll("select")) fields[select.dataset.name] = JSON.parse(select.value);
      tried(() => begin({
        game: offer.game, setup: setup().name, fields, seats: [...get("new-seats").children].map((item) => item.chosen()),
        is_open: get("new-open").checked,
      }))().finally(() => { send.disabled = false; });
    };
    get("setup").showModal();
  };

  get("games").replaceChildren(...offers.map(card));

  const found = await ask("/api/games"), own = ownGames();
  const absent = own.filter((id) => !found.some((game) => game.id === id)).slice(0, 20);
  const others = await Promise.all(absent.map((id) => ask(`/api/games/${id}`).catch(() => null)));
  const shown = [...found, ...others.filter(Boolean)].sort((one, other) => (
    one.is_over - other.is_over || own.includes(other.id) - own.includes(one.id) || other.changed - one.changed
  ));
  const entry = (game, number) => {
    const item = made("li"), link = made("a"), isOwn = own.includes(game.id);
    link.href = `/games/${game.id}`;
    const state = game.is_over ? `won by ${game.winners.join(" and ")}` : isOwn ? "go on" : "watch";
    if (number < MOST_BOARDS && !game.is_over) link.append(small(game.game, `/api/games/${game.id}/view`));
    link.append(
      made("b", `${game.title}${game.setup === game.title ? "" : `, ${game.setup}`}`), made("span", game.players.map(({ name }) => name).join(", ")),
      made("span", new Date(1000 * game.changed).toLocaleString(), "muted"), made("span", state, isOwn && !game.is_over ? "tag own" : "tag"),
    );
    item.append(link);
    return item;
  };
  const entries = shown.map(entry), numGoing = Math.min(MOST_BOARDS, shown.filter((game) => !game.is_over).length);
  get("list").replaceChildren(...entries.slice(0, numGoing));
  get("older-list").replaceChildren(...entries.slice(numGoing));
  get("going").hidden = !numGoing;
  get("older").hidden = entries.length === numGoing;
};

// -- a game

const table = (id) => {
  const api = `/api/games/${id}`;
  let summary, seat = null, source = null, waiting = [], shown = null, bands = [], timer = null, shownAt = 0, lastDelay = 0;
  let taken = null, hint = null, typed = "", typedAt = 0, isBusy = false, remarks = [], highest = -1, isSteered = false, isLost = false, reopening = 0, reopenAfter = 1000;
  let isAllListed = false, reserved = 0;
  const narrow = matchMedia("(max-width: 640px)"), still = matchMedia("(prefers-reduced-motion: reduce)");

  // -- what is shown

  const who = (player) => (shown.players.find((one) => one.player === player) || { name: player }).name;
  const isAsked = () => Boolean(shown && shown.choices && shown.choices.length);
  const capital = (text) => text ? text[0].toUpperCase() + text.slice(1) : text;
  const plain = (line) => capital(line.trim().replace(/^(==|--) ?| ?(==|--)$/g, "").replace(/ == /g, ": "));

  // Whose turn it is, or what is asked, or how it ended: one line says it.
  const status = () => {
    let text = "";
    const [latest] = shown.log.lines.slice(-1);
    if (shown.is_over) text = capital(shown.result);
    else if (isAsked()) text = shown.question;
    else if ((shown.is_between || waiting.length) && latest) text = plain(latest);
    else if (shown.is_preparing) text = LONG;
    else if (shown.thinks) text = `${capital(who(shown.thinks))} thinks…`;
    else if (shown.to_act) text = who(shown.to_act) === "you" ? "It is your turn." : `${capital(who(shown.to_act))} decides.`;
    else text = "Somebody decides.";
    if (get("question").textContent !== text) get("question").textContent = text;
    document.title = `${isAsked() ? "● " : ""}${shown.title} – Romans`;
    for (const one of document.querySelectorAll("[data-waits]")) waits(one, one.dataset.waits);
    get("players").replaceChildren(...shown.players.map(({ player, name, kind, agent, mark }) => {
      const detail = kind === "rule" ? "plays by rule" : agent && agent !== name ? agent : "";
      return made("li", `${mark} ${name}${detail ? ` (${detail})` : ""}`, player === shown.to_act ? "now" : "");
    }));
  };

  // What is said while an answer is waited for, which is longer where something is compiled first.
  const waits = (element, text) => {
    element.dataset.waits = text;
    element.textContent = shown.is_preparing ? LONG : text;
  };
  const hintSays = (text) => {
    delete get("hinted").dataset.waits;
    get("hinted").textContent = text;
  };

  // What a card does is written beside it, over the board.
  const about = (spot, button) => {
    const phrases = spot.actions.map(phrase).filter(Boolean);
    const does = phrases.length === 1 ? ` ${capital(phrases[0])}.` : phrases.length > 1 ? ` ${phrases.length} choices.` : "";
    const box = get("about"), here = button.getBoundingClientRect(), around = get("table").getBoundingClientRect();
    box.replaceChildren(made("b", `${capital(spot.name)}. `), `${spot.text}${does}`);
    box.hidden = false;
    const left = Math.max(4, Math.min(here.left - around.left, around.width - box.offsetWidth - 4));
    const above = here.top - around.top - box.offsetHeight - 6;
    box.style.left = `${left}px`;
    box.style.top = `${here.top > box.offsetHeight + 12 ? above : here.bottom - around.top + 6}px`;
  };
  const aboutNothing = () => { get("about").hidden = true; };
  const phrase = (action) => (shown.choices || []).find((one) => one.action === action)?.phrase;

  // -- the sheets: the first is moved and made larger where it would be too small to read, others lie beside it

  const view = { scale: 1, x: 0, y: 0, isWhole: false, least: 1, wide: 0, high: 0 };
  const READABLE = 1.1;
  const sheets = () => [...get("sheets").children];
  const place = () => {
    const [sheet] = sheets(), stage = sheet.firstChild, { width, height } = sheet.size;
    view.scale = Math.max(view.least, Math.min(4 * READABLE, view.scale));
    const [wide, high] = [width * view.scale, height * view.scale];
    view.x = wide <= view.wide ? (view.wide - wide) / 2 : Math.max(view.wide - wide, Math.min(0, view.x));
    view.y = high <= view.high ? (view.high - high) / 2 : Math.max(view.high - high, Math.min(0, view.y));
    stage.style.width = `${wide}px`;
    stage.style.transform = `translate(${view.x}px, ${view.y}px)`;
    sheet.classList.toggle("large", wide > view.wide + 1 || high > view.high + 1);
  };
  const zoom = (factor, x, y) => {
    const before = view.scale;
    view.scale = Math.max(view.least, Math.min(4 * READABLE, before * factor));
    view.x = x - (x - view.x) * view.scale / before;
    view.y = y - (y - view.y) * view.scale / before;
    place();
  };
  // The part where those stand who are asked, or in which something can be chosen, at a size that can be read.
  const focus = () => {
    const [sheet] = sheets(), asked = [...sheet.querySelectorAll("[data-focus]")].map((node) => node.dataset.focus.split(" ").map(Number));
    const boxes = asked.length ? asked.map(([x, y]) => [x - 200, y - 200, 400, 400])
      : shown.spots.filter((spot) => !spot.sheet && spot.actions.length).map((spot) => spot.box);
    if (view.isWhole || view.least >= 1) view.scale = view.least;
    else if (boxes.length) {
      const left = Math.min(...boxes.map(([x]) => x)), top = Math.min(...boxes.map(([, y]) => y));
      const right = Math.max(...boxes.map(([x, , wide]) => x + wide)), bottom = Math.max(...boxes.map(([, y, , high]) => y + high));
      view.scale = Math.max(READABLE, view.wide / sheet.size.width, Math.min(1.7, view.wide / (right - left + 120), view.high / (bottom - top + 120)));
      view.x = view.wide / 2 - view.scale * (left + right) / 2;
      view.y = view.high / 2 - view.scale * (top + bottom) / 2;
    } else if (view.scale < READABLE) {
      view.scale = Math.max(READABLE, view.wide / sheet.size.width);
      view.x = (view.wide - sheet.size.width * view.scale) / 2;
      view.y = (view.high - sheet.size.height * view.scale) / 2;
    }
    place();
  };
  const fit = () => {
    const all = sheets();
    if (!all.length || !all[0].size) return;
    const [sheet] = all, { width, height } = sheet.size;
    document.body.classList.toggle("beside", all.length > 1);
    // Room that the question has needed once stays its own, so that the board does not jump.
    if (narrow.matches || shown.is_over) reserved = 0;
    else if (!get("story").open) reserved = Math.max(reserved, get("ask").offsetHeight);
    get("ask").style.minHeight = reserved ? `${reserved}px` : "";
    const room = narrow.matches ? Infinity : Math.max(320, innerHeight - get("sheets").getBoundingClientRect().top - scrollY - 12);
    view.wide = sheet.clientWidth;
    const whole = Math.min(view.wide / width, room / height);
    const isSmall = whole < 0.95;
    view.high = isSmall ? Math.min(height * READABLE, narrow.matches ? Math.round(0.52 * innerHeight) : room) : height * whole;
    view.least = isSmall ? Math.min(view.wide / width, view.high / height) : whole;
    sheet.style.height = `${view.high}px`;
    for (const other of all.slice(1)) other.style.maxHeight = narrow.matches ? "" : `${Math.max(view.high, 320)}px`;
    get("whole").hidden = !isSmall;
    focus();
  };
  const gestures = (sheet) => {
    const fingers = new Map();
    let isMoved = false, from = null;
    const middle = () => {
      const all = [...fingers.values()], box = sheet.getBoundingClientRect();
      const [x, y] = [0, 1].map((k) => all.reduce((sum, one) => sum + one[k], 0) / all.length);
      return { x: x - box.left, y: y - box.top, apart: all.length > 1 ? Math.hypot(all[0][0] - all[1][0], all[0][1] - all[1][1]) : 0 };
    };
    sheet.addEventListener("pointerdown", (event) => {
      if (fingers.size === 0) isMoved = false;
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      from = middle();
    });
    sheet.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId) || !(event.buttons || event.pointerType === "touch")) return;
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      const now = middle();
      if (!sheet.classList.contains("large") && fingers.size < 2) return;
      if (!isMoved && fingers.size < 2 && Math.hypot(now.x - from.x, now.y - from.y) < 8) return;
      isMoved = true;
      view.x += now.x - from.x;
      view.y += now.y - from.y;
      if (from.apart && now.apart) zoom(now.apart / from.apart, now.x, now.y);
      else place();
      from = now;
    });
    const end = (event) => { fingers.delete(event.pointerId); if (fingers.size) from = middle(); };
    for (const kind of ["pointerup", "pointercancel", "pointerleave"]) sheet.addEventListener(kind, end);
    // A card that is reached by keyboard beyond the edge is moved to, as everything is.
    sheet.addEventListener("scroll", () => {
      if (!sheet.scrollLeft && !sheet.scrollTop) return;
      view.x -= sheet.scrollLeft;
      view.y -= sheet.scrollTop;
      sheet.scrollLeft = sheet.scrollTop = 0;
      place();
    });
    // Whoever moved the board has chosen nothing.
    sheet.addEventListener("click", (event) => { if (isMoved) { event.stopPropagation(); event.preventDefault(); isMoved = false; } }, true);
    sheet.addEventListener("wheel", (event) => {
      if (get("whole").hidden) return;
      event.preventDefault();
      const box = sheet.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY / 500), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
  };
  const layOut = (number) => {
    if (sheets().length === number) return;
    get("sheets").replaceChildren(...Array.from({ length: number }, (_, k) => {
      const sheet = made("div", "", "sheet"), stage = made("div", "", "stage"), svg = document.createElementNS(SVG, "svg"), spots = made("div", "", "spots");
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", k ? "Beside the board" : "The board");
      spots.setAttribute("role", "group");
      spots.setAttribute("aria-label", k ? "Places beside the board" : "Cards and places on the board");
      stage.append(svg, spots);
      sheet.append(stage);
      if (!k) {
        const whole = made("button", "Whole board");
        whole.id = "whole";
        whole.type = "button";
        whole.hidden = true;
        whole.addEventListener("click", () => {
          view.isWhole = !view.isWhole;
          whole.textContent = view.isWhole ? "Larger" : "Whole board";
          focus();
        });
        sheet.append(whole);
        gestures(sheet);
      }
      return sheet;
    }));
  };

  const board = () => {
    const parts = sheetsOf(shown.picture), hadFocus = get("sheets").contains(document.activeElement);
    const isNew = isStill() || document.hidden || sheets().length !== parts.length;
    layOut(parts.length);
    sheets().forEach((sheet, number) => {
      const svg = sheet.querySelector("svg"), { width, height } = parts[number];
      const before = isNew || !sheet.size ? [] : seen(svg, sheet.size.width);
      sheet.size = { width, height };
      drawn(svg, shown.game, parts[number]);
      sheet.querySelector(".spots").replaceChildren(...shown.spots.filter((spot) => spot.sheet === number)
        .map((spot) => spotButton(spot, width, height)));
      roving(sheet.querySelector(".spots"));
      sheet.before = before;
    });
    aboutNothing();
    fit();
    for (const sheet of sheets()) {
      const svg = sheet.querySelector("svg");
      if (sheet.before.length) animate(svg, sheet.before, sheet.size.width);
      delete sheet.before;
    }
    if (hadFocus) get("sheets").querySelector(".can, .spot")?.focus({ preventScroll: true });
    marks();
    if (narrow.matches) toAsked();
  };
  // What is asked may lie below the question, which stays at the lower edge of a small screen.
  const toAsked = () => {
    const boxes = [...get("sheets").querySelectorAll(".can")].map((button) => button.getBoundingClientRect());
    if (!boxes.length) return;
    const hidden = Math.max(...boxes.map(({ bottom }) => bottom)) + 8 - (innerHeight - get("ask").offsetHeight);
    const room = Math.min(...boxes.map(({ top }) => top)) - 8;
    if (hidden > 0 || room < 0) scrollBy({ top: room < 0 ? room : Math.min(hidden, room), behavior: isStill() ? "auto" : "smooth" });
  };

  const isStill = () => still.matches || !Number(get("speed").value);
  const allSpots = () => get("sheets").querySelectorAll(".spot");
  const spotButton = (spot, width, height) => {
    const button = made("button", "", "spot"), [left, top, wide, high] = spot.box;
    button.type = "button";
    button.style.left = `${100 * left / width}%`;
    button.style.top = `${100 * top / height}%`;
    button.style.width = `${100 * wide / width}%`;
    button.style.height = `${100 * high / height}%`;
    // Not by its number: what is shown changes before the board does.
    button.spot = spot;
    const phrases = spot.actions.map(phrase).filter(Boolean);
    const does = phrases.length === 1 ? `: ${phrases[0]}` : phrases.length > 1 ? `: ${phrases.length} choices` : "";
    button.setAttribute("aria-label", `${capital(spot.name)}${does}. ${spot.text}`.trim());
    if (spot.actions.length === 1) button.dataset.action = spot.actions[0];
    if (spot.actions.length) button.classList.add("can");
    // A place that is no card is a ring, with room for a finger around it.
    if (wide < 34 && Math.abs(wide - high) < 4) button.classList.add("ring");
    button.addEventListener("pointerenter", (event) => { if (event.pointerType !== "touch") about(spot, button); });
    button.addEventListener("pointerleave", aboutNothing);
    button.addEventListener("focus", () => { if (button.matches(":focus-visible")) about(spot, button); });
    button.addEventListener("blur", aboutNothing);
    button.addEventListener("click", () => {
      if (button.wasDragged || button.wasHeld) return;
      if (spot.actions.length) choose(spot); else about(spot, button);
    });
    held(button, spot);
    if (spot.actions.length) draggable(button, spot);
    return button;
  };
  // A finger that stays reads, and plays nothing.
  const held = (button, spot) => {
    let wait = 0;
    button.addEventListener("pointerdown", (event) => {
      button.wasHeld = false;
      if (event.pointerType === "touch") wait = setTimeout(() => { button.wasHeld = true; about(spot, button); }, 450);
    });
    for (const kind of ["pointerup", "pointercancel", "pointermove"]) {
      button.addEventListener(kind, (event) => { if (kind !== "pointermove" || Math.hypot(event.movementX, event.movementY) > 3) clearTimeout(wait); });
    }
    button.addEventListener("contextmenu", (event) => event.preventDefault());
  };

  const draggable = (button, spot) => {
    let start = null, ghost = null;
    const drop = (event) => {
      if (ghost) {
        ghost.remove();
        const under = document.elementsFromPoint(event.clientX, event.clientY)
          .filter((one) => one.classList.contains("spot") && one !== button)
          .map((one) => one.spot);
        const both = under.map((other) => other.actions.filter((action) => spot.actions.includes(action))).find((found) => found.length);
        if (both && both.length === 1) act(both[0]);
        else if (both) { taken = both; marks(); } else { taken = null; marks(); }
        setTimeout(() => { button.wasDragged = false; }, 0);
      }
      start = ghost = null;
    };
    button.addEventListener("pointerdown", (event) => {
      // A board that is moved by a finger has no cards to drag.
      if (event.button !== 0 || button.closest(".large")) return;
      start = [event.clientX, event.clientY];
      button.setPointerCapture(event.pointerId);
    });
    button.addEventListener("pointermove", (event) => {
      if (!start) return;
      if (!ghost && Math.hypot(event.clientX - start[0], event.clientY - start[1]) > 6) {
        ghost = button.closest(".stage").querySelector("svg").cloneNode(true);
        const box = button.getBoundingClientRect();
        ghost.id = "ghost";
        ghost.setAttribute("viewBox", spot.box.join(" "));
        ghost.style.width = `${box.width}px`;
        ghost.style.height = `${box.height}px`;
        document.body.append(ghost);
        button.wasDragged = true;
        taken = spot.actions;
        marks();
      }
      if (ghost) {
        ghost.style.left = `${event.clientX - parseFloat(ghost.style.width) / 2}px`;
        ghost.style.top = `${event.clientY - parseFloat(ghost.style.height) / 2}px`;
      }
    });
    button.addEventListener("pointerup", drop);
    button.addEventListener("pointercancel", () => {
      if (ghost) ghost.remove();
      start = ghost = null;
      button.wasDragged = false;
    });
  };

  // An action may belong to several spots: choosing them one after the other leaves fewer and fewer actions.
  const choose = (spot) => {
    if (!isAsked()) return;
    const left = taken ? spot.actions.filter((action) => taken.includes(action)) : spot.actions;
    const found = left.length ? left : spot.actions;
    if (found.length === 1) act(found[0]);
    else {
      taken = found.length === (shown.choices || []).length ? null : found;
      marks();
      choices();
    }
  };

  const marks = () => {
    for (const button of allSpots()) {
      const { spot } = button, left = taken ? spot.actions.filter((action) => taken.includes(action)) : [];
      button.classList.toggle("aim", left.length > 0 && left.length < (taken || []).length);
      button.classList.toggle("taken", Boolean(taken) && left.length === taken.length);
      const share = hint && spot.actions.length === 1 && hint.probabilities[spot.actions[0]];
      button.querySelector(".best")?.remove();
      if (share >= 0.005) button.append(made("span", `${Math.round(100 * share)} %`, "best"));
    }
    get("all").hidden = !taken;
  };

  const choices = () => {
    const list = get("choices"), hadFocus = list.contains(document.activeElement) || document.activeElement === document.body;
    const all = shown.choices || [];
    const [best] = hint ? Object.keys(hint.probabilities) : [];
    // What is chosen on the board is not listed again where the list would be long.
    const onBoard = new Set(all.length > MOST_LISTED && !isAllListed && !taken ? shown.spots.flatMap((spot) => spot.actions) : []);
    let group = "";
    const items = [];
    all.forEach((choice, number) => {
      if ((taken && !taken.includes(choice.action)) || (onBoard.has(choice.action) && choice.action !== best)) return;
      if (choice.group !== group) {
        group = choice.group;
        if (items.length || group) items.push(made("li", group ? `${capital(group)}:` : "", "group"));
      }
      const item = made("li"), button = made("button");
      button.type = "button";
      button.id = `choice-${number + 1}`;
      button.dataset.action = choice.action;
      button.dataset.number = number + 1;
      // What is read aloud goes on where what is seen ends.
      button.append(made("span", choice.item), made("span", `: ${choice.phrase}`, "unseen"));
      if (hint) {
        const share = hint.probabilities[choice.action] || 0, bar = made("progress");
        bar.max = 1;
        bar.value = share;
        bar.setAttribute("aria-hidden", "true");
        if (share >= 0.005) button.append(made("span", `${Math.round(100 * share)} %`, "share"), bar);
        if (choice.action === best) button.classList.add("best");
      }
      button.addEventListener("click", () => act(choice.action));
      for (const [kind, is] of [["pointerenter", true], ["focus", true], ["pointerleave", false], ["blur", false]]) {
        button.addEventListener(kind, () => {
          for (const one of allSpots()) one.classList.toggle("aim", is && one.spot.actions.includes(choice.action));
        });
      }
      item.append(button);
      items.push(item);
    });
    if (onBoard.size) {
      const item = made("li"), button = made("button", `${onBoard.size} choices on the board: list them`, "quiet");
      button.type = "button";
      button.addEventListener("click", () => { isAllListed = true; choices(); fit(); });
      item.append(button);
      items.push(item);
    }
    list.replaceChildren(...items);
    roving(list);
    if (hadFocus && isSteered && all.length) list.querySelector("button")?.focus({ preventScroll: true });
    const kind = all.length ? all[0].action.split(":")[0] : "";
    get("plan").placeholder = all.slice(0, 3).map(({ action }) => action).join(" or ");
    get("plan-words").replaceChildren(...all.slice(0, 120).map(({ action }) => { const word = made("option"); word.value = action; return word; }));
    list.dataset.kind = kind;
  };

  const decision = () => {
    const asked = isAsked();
    get("end").hidden = !shown.is_over;
    if (shown.is_over) {
      get("why").textContent = capital(shown.why);
      const lines = [...get("log").children].filter((line) => !/head|turn|note/.test(line.className));
      get("how").replaceChildren(...lines.slice(-2).map((line) => made("li", line.textContent)));
    }
    get("choices").hidden = !asked;
    get("undo").hidden = get("hint").hidden = seat === null || shown.is_over;
    get("plan-form").hidden = get("adviser-label").hidden = seat === null || shown.is_over;
    get("undo").disabled = !shown.may_undo;
    get("hint").disabled = !asked;
    document.body.classList.toggle("asked", asked);
    document.body.classList.toggle("over", shown.is_over);
    choices();
  };

  const log = (lines, start) => {
    const list = get("log");
    for (const item of list.querySelectorAll(".new")) item.classList.remove("new");
    if (start === 0) list.replaceChildren();
    while (list.children.length - remarks.length > start && list.lastChild) {
      if (remarks.includes(list.lastChild)) remarks.pop();
      list.lastChild.remove();
    }
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 60;
    list.append(...lines.map((line) => {
      const kind = line.startsWith("==") ? "head" : line.startsWith("--") ? "turn" : line.startsWith("  ") ? "deep" : "";
      return made("div", plain(line), start ? `${kind} new` : kind);
    }));
    if (isAtEnd || start === 0) list.scrollTop = list.scrollHeight;
    get("now").textContent = (!shown.is_over && !list.lastChild?.classList.contains("head") && list.lastChild?.textContent) || "What happened";
  };

  const show = (look) => {
    const isFirst = !shown;
    shown = { ...shown, ...look };
    if (look.serial !== undefined) highest = look.serial;
    shownAt = performance.now();
    lastDelay = isAsked() || shown.is_over ? 0 : Number(get("speed").value);
    taken = hint = null;
    isAllListed = false;
    hintSays("");
    if (isFirst) opening();
    log(look.log.lines, look.log.start);
    status();
    decision();
    board();
    isBusy = false;
    document.documentElement.dataset.shown = String(shown.serial);
    if (!waiting.length && mustHandOver()) curtain();
  };

  const opening = () => {
    get("title").textContent = shown.title + (shown.setup === shown.title ? "" : `, ${shown.setup}`);
    rulesOf = shown.game;
    get("rules-open").hidden = false;
    get("replay").href = `${api}/replay`;
    get("record").href = `${api}/record`;
    get("review-page").href = `${api}/review/page`;
    get("menu-open").hidden = false;
    boardStyle(shown.game);
    get("pace").value = String(shown.pace);
  };

  // Looks are shown one after the other, so that what agents do can be followed.
  const next = () => {
    clearTimeout(timer);
    timer = null;
    get("skip").hidden = waiting.length < 2;
    if (!waiting.length) return;
    const hurry = waiting.length > 24 ? 0.2 : 1;
    const wait = Math.max(0, shownAt + hurry * lastDelay - performance.now());
    const step = () => {
      show(waiting.shift());
      next();
    };
    if (wait > 0) timer = setTimeout(step, wait); else step();
  };
  const skip = () => {
    lastDelay = 0;
    for (const one of document.getAnimations()) if (one.effect?.getTiming().iterations === 1) one.finish();
    const left = waiting;
    waiting = [];
    if (left.length) {
      const first = left[0].log.start, lines = left.flatMap((look) => look.log.lines);
      show({ ...left[left.length - 1], log: { start: first, lines } });
    }
    next();
  };

  // -- what the server sends

  const received = (kind, event) => {
    if (event.picture) {
      event.picture.bands = event.picture.bands.map((band, k) => band || bands[k]);
      bands = event.picture.bands;
    }
    if (kind === "view") {
      waiting = [];
      remarks = [];
      const isOld = shown && event.serial === highest && event.log.start === 0 && !isBusy && shown.viewer === event.viewer && !shown.is_between;
      if (!isOld) show(event); else { shown = { ...shown, ...event }; status(); }
      next();
    } else if (kind === "look") {
      waiting.push(event);
      if (waiting.length && !timer) next();
    } else if (kind === "thinks") {
      shown.thinks = event.player;
      status();
    } else if (kind === "preparing") {
      shown.is_preparing = event.is_preparing;
      status();
    } else if (kind === "pace") {
      get("pace").value = String(event.pace);
    } else if (kind === "note") {
      const item = made("div", event.text, "note new");
      remarks.push(item);
      get("log").append(item);
      get("log").scrollTop = get("log").scrollHeight;
    }
  };

  const listen = () => {
    source?.close();
    clearTimeout(reopening);
    waiting = [];
    bands = [];
    source = new EventSource(`${api}/events?narrow=${narrow.matches}${seat === null ? "" : `&seat=${seat}`}`);
    for (const kind of ["view", "look", "thinks", "preparing", "pace", "note"]) {
      source.addEventListener(kind, (event) => {
        if (isLost) say("");
        isLost = false;
        reopenAfter = 1000;
        received(kind, JSON.parse(event.data));
      });
    }
    source.addEventListener("error", () => {
      isLost = true;
      const isRefused = source.readyState === EventSource.CLOSED;
      say(`The server does not ${isRefused ? "show this game just now" : "answer"}. The page tries again by itself…`);
      // A browser that was answered with an error does not ask again.
      if (isRefused) reopening = setTimeout(listen, reopenAfter = Math.min(2 * reopenAfter, 60000));
    });
  };

  // -- several people at one screen

  const actingSeat = () => {
    const number = shown && shown.to_act ? shown.players.findIndex(({ player }) => player === shown.to_act) : -1;
    return summary.seats.includes(number) ? number : null;
  };
  const mustHandOver = () => summary.seats.length > 1 && actingSeat() !== null && actingSeat() !== seat;
  const curtain = () => {
    const number = actingSeat(), { name } = summary.players[number];
    source?.close();
    waiting = [];
    get("sheets").replaceChildren();
    get("log").replaceChildren();
    get("choices").replaceChildren();
    get("curtain-title").textContent = `${name} is next`;
    get("curtain-lift").textContent = `I am ${name}: show my cards`;
    get("curtain").oncancel = (event) => event.preventDefault();
    get("curtain-lift").onclick = () => {
      seat = number;
      shown = null;
      highest = -1;
      get("curtain").close();
      listen();
    };
    get("curtain").showModal();
    document.documentElement.dataset.shown = "curtain";
  };

  // -- what the player does

  const post = async (path, body) => {
    try {
      return await ask(`${api}/${path}`, body);
    } catch (error) {
      // The page is behind: it begins again with what there is now.
      if (error.status === 409 && error.answer.view) { highest = -1; listen(); }
      isBusy = false;
      throw error;
    }
  };
  const act = tried(async (action) => {
    if (!isAsked() || isBusy) return;
    isBusy = true;
    await post("act", { seat, move: shown.move, plan: action });
  });
  const undo = tried(async () => {
    if (!shown.may_undo || isBusy) return;
    isBusy = true;
    await post("undo", { seat, move: shown.move });
  });
  const advise = tried(async () => {
    if (!isAsked() || isBusy) return;
    const { move } = shown;
    waits(get("hinted"), "Asking…");
    try {
      const found = await post("hint", { seat, move, agent: get("adviser").value });
      if (shown.move !== move) return;
      hint = found;
      // A return of -1/(n - 1) is a loss, and 1 a win; alone one loses -1.
      const number = Math.max(2, shown.players.filter(({ kind }) => kind !== "rule").length);
      const share = (1 + found.value * (number - 1)) / number;
      const value = found.value === null ? "" : `; chance to win ${Math.round(100 * Math.max(0, Math.min(1, share)))} %`;
      const [name, often] = Object.entries(found.probabilities)[0];
      hintSays(`${capital(found.agent)} would ${phrase(name)} (${Math.round(100 * often)} %)${value}.`);
      marks();
      choices();
      fit();
    } catch (error) {
      hintSays("");
      throw error;
    }
  });
  const play = tried(async () => {
    const plan = get("plan").value.trim();
    if (!plan || !isAsked() || isBusy) return;
    isBusy = true;
    get("menu").close();
    const { played, unused, error } = await post("act", { seat, move: shown.move, plan });
    get("plan").value = unused.join(" ");
    if (error) say(`${played} of ${played + unused.length} choices were made: ${error}.`);
  });

  // One of several is reached by Tab, the others by the arrow keys.
  const roving = (list) => {
    const buttons = [...list.querySelectorAll("button")];
    const first = buttons.find((button) => button.classList.contains("can")) || buttons[0];
    buttons.forEach((button) => { button.tabIndex = button === first ? 0 : -1; });
  };
  const move = (list, by) => {
    const buttons = [...list.querySelectorAll("button")];
    if (!buttons.length) return;
    const at = buttons.indexOf(document.activeElement);
    const to = at < 0 ? buttons[by > 0 ? 0 : buttons.length - 1] : buttons[(at + by + buttons.length) % buttons.length];
    buttons.forEach((button) => { button.tabIndex = button === to ? 0 : -1; });
    to.focus();
  };
  const digit = (key) => {
    const now = performance.now();
    typed = now - typedAt < 900 ? typed + key : key;
    typedAt = now;
    const find = (number) => get("choices").querySelector(`button[data-number="${Number(number)}"]`);
    if (!find(typed)) typed = key;
    const button = find(typed);
    if (button) {
      for (const other of get("choices").querySelectorAll("button")) other.tabIndex = -1;
      button.tabIndex = 0;
      button.focus();
    }
  };

  document.addEventListener("pointerdown", () => { isSteered = false; });
  document.addEventListener("keydown", (event) => {
    isSteered = true;
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && target.type !== "checkbox") return;
    const list = target.closest?.(".spots") || get("choices");
    const keys = {
      ArrowDown: () => move(list, 1), ArrowRight: () => move(list, 1), ArrowUp: () => move(list, -1), ArrowLeft: () => move(list, -1),
      u: undo, U: undo, h: advise, H: advise, "?": showRules, s: skip,
      Escape: () => { taken = null; marks(); choices(); },
    };
    if (target === get("log") && key.startsWith("Arrow")) return;
    if (/^\d$/.test(key) && isAsked()) { event.preventDefault(); digit(key); }
    else if (keys[key]) { event.preventDefault(); keys[key](); }
    else if (key === "Enter" && target === document.body && isAsked()) get("choices").querySelector('button[tabindex="0"]')?.click();
  });
  get("undo").addEventListener("click", undo);
  get("hint").addEventListener("click", advise);
  get("skip").addEventListener("click", skip);
  get("all").addEventListener("click", () => { taken = null; marks(); choices(); });
  get("plan-form").addEventListener("submit", (event) => { event.preventDefault(); play(); });
  get("speed").value = kept.get("speed") || "1400";
  get("speed").addEventListener("change", () => { kept.set("speed", get("speed").value); lastDelay = 0; next(); });
  narrow.addEventListener("change", () => { if (source) { highest = -1; listen(); } });
  // The bars of a phone's browser come and go, and change the height alone.
  let across = innerWidth;
  addEventListener("resize", () => { if (shown && (!narrow.matches || across !== innerWidth)) { across = innerWidth; reserved = 0; get("ask").style.minHeight = ""; fit(); } });
  get("story").addEventListener("toggle", () => { get("log").scrollTop = get("log").scrollHeight; if (shown && !narrow.matches) fit(); });
  get("again").addEventListener("click", tried(async () => {
    const game = await ask(`${api}/again`, {});
    remember(game.id);
    location.assign(`/games/${game.id}`);
  }));
  // Of every game that was reviewed the choices and losses of the person, for the mean of this browser.
  const reviews = () => { try { return JSON.parse(kept.get("reviews") || "{}"); } catch { return {}; } };
  const review = tried(async () => {
    get("review").disabled = true;
    const wait = made("li");
    get("review-text").replaceChildren(wait);
    waits(wait, "Every choice is being compared with others, which takes from ten seconds to some minutes in a long game…");
    let found;
    try {
      found = await ask(`${api}/review`);
    } catch (error) {
      get("review").disabled = false;
      get("review-text").replaceChildren();
      throw error;
    }
    const names = Object.fromEntries(shown.players.map(({ player, name }) => [player, name]));
    get("how").replaceChildren();
    const lines = found.sentences.filter((line) => !line.startsWith("Winner: ")).map((line) => capital(line.replace(/\w+/g, (word) => names[word] || word)));
    const own = seat === null ? null : found.totals[shown.players[seat].player];
    if (own) {
      const all = { ...reviews(), [id]: { game: shown.game, loss: own.loss, choices: own.choices } };
      kept.set("reviews", JSON.stringify(Object.fromEntries(Object.entries(all).slice(-200))));
      const same = Object.values(all).filter(({ game }) => game === shown.game);
      const mean = same.reduce((sum, { loss }) => sum + loss, 0) / same.reduce((sum, { choices: number }) => sum + number, 0);
      if (same.length > 1) lines.push(`In ${same.length} reviewed games of this browser a choice of yours lost ${(100 * mean).toFixed(1)} % in the mean; here ${(100 * own.loss / own.choices).toFixed(1)} %.`);
    }
    get("review-text").replaceChildren(...lines.map((line) => made("li", line)));
    get("review").hidden = true;
    get("review-page").hidden = false;
  });
  get("review").addEventListener("click", review);
  get("pace").addEventListener("change", tried(async () => {
    get("pace").disabled = true;
    try {
      await ask(`${api}/pace`, { pace: Number(get("pace").value) });
    } finally {
      get("pace").disabled = false;
    }
  }));

  const hosting = async () => {
    get("again").hidden = get("pace-label").hidden = !summary.is_host;
    if (!summary.is_host) return;
    const links = await ask(`${api}/links`);
    get("links").hidden = !links.length;
    // Friends wait for their links: they are shown at once, once.
    const isNew = links.some(({ seat: number }) => !summary.seats.includes(number)) && !kept.get(`links ${id}`);
    if (isNew) { kept.set(`links ${id}`, "shown"); get("menu").showModal(); }
    get("link-list").replaceChildren(...links.map(({ seat: number, path }) => {
      const item = made("li", "", "row"), field = made("input"), button = made("button", "Copy");
      const { name } = summary.players[number];
      field.readOnly = true;
      field.value = location.origin + path;
      field.setAttribute("aria-label", `Private link of ${name}`);
      button.type = "button";
      button.setAttribute("aria-label", `Copy the private link of ${name}`);
      button.addEventListener("click", async () => {
        field.select();
        try { await navigator.clipboard.writeText(field.value); button.textContent = "Copied"; } catch { document.execCommand("copy"); }
      });
      item.append(made("span", name), field, button);
      return item;
    }));
  };

  return async () => {
    get("game").hidden = false;
    const token = location.hash.slice(1);
    let joined = null;
    if (token) {
      history.replaceState(null, "", location.pathname);
      joined = (await ask(`${api}/join`, { token })).seat;
    }
    const slow = setTimeout(() => { get("question").textContent = LONG; }, 700);
    summary = await ask(api).finally(() => clearTimeout(slow));
    if (summary.seats.length || summary.is_host) remember(id);
    seat = joined ?? summary.seats[0] ?? null;
    if (joined !== null) summary.seats = [joined];
    const offer = (await allOffers()).find(({ game }) => game === summary.game);
    get("adviser").replaceChildren(...offer.agents.map(({ spec, name, about: why }) => option(spec, name, why)));
    get("adviser").value = offer.adviser;
    if (summary.seats.length > 1) {
      // Nobody's cards are shown before somebody has said to be there.
      seat = null;
      shown = await ask(`${api}/view`).catch(() => null);
      const isNobodys = !shown || actingSeat() === null;
      if (shown && !isNobodys) {
        opening();
        curtain();
      } else {
        shown = null;
        listen();
      }
    } else listen();
    await hosting();
  };
};

const [, id] = location.pathname.match(/^\/games\/([\w-]+)$/) || [];
await tried(id ? table(id) : home)();
document.documentElement.dataset.ready = "yes";
