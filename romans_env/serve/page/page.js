// The page of a server of games. It shows what the server sends, and sends back names of actions that it was sent:
// what is legal is decided there alone.

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

let rulesOf = null;
const showRules = tried(async () => {
  if (!rulesOf || get("rules").open) return;
  const rules = await ask(`/api/rules/${rulesOf}`);
  get("rules-title").textContent = rules.title;
  const parts = rules.aim.map((line) => made("p", line));
  for (const { title, columns, rows } of rules.tables) {
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
    parts.push(made("h3", title), scroll);
  }
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
get("rules-close").addEventListener("click", () => get("rules").close());

// -- the list of games, and a new one

const ownGames = () => { try { return JSON.parse(kept.get("games") || "[]"); } catch { return []; } };
const remember = (id) => kept.set("games", JSON.stringify([id, ...ownGames().filter((other) => other !== id)].slice(0, 60)));

const home = async () => {
  get("home").hidden = false;
  const offers = await ask("/api/offers");
  const option = (value, text, title = "") => {
    const element = made("option", text);
    element.value = value;
    if (title) element.title = title;
    return element;
  };
  const offer = () => offers.find(({ game }) => game === get("new-game").value);
  const setup = () => offer().setups.find(({ name }) => name === get("new-setup").value);

  const seat = (number) => {
    const item = made("li"), who = made("select"), name = made("input"), spec = made("input"), about = made("p", "", "muted");
    const agents = made("optgroup"), people = made("optgroup");
    people.label = "People";
    agents.label = "Agents";
    people.append(option("here", number ? "a person at this screen" : "you"), option("link", "a person by private link"));
    agents.append(...offer().agents.map(({ spec: text, about: why }) => option(`agent:${text}`, text, why)), option("other", "an agent with options…"));
    who.append(people, agents);
    who.value = number ? `agent:${offer().opponent}` : "here";
    who.setAttribute("aria-label", `Seat ${number + 1}`);
    name.placeholder = "name";
    name.maxLength = 24;
    name.setAttribute("aria-label", `Name in seat ${number + 1}`);
    spec.placeholder = "flat-mc:iterations=200";
    spec.setAttribute("aria-label", `Agent spec of seat ${number + 1}`);
    const change = () => {
      name.hidden = !["here", "link"].includes(who.value);
      spec.hidden = who.value !== "other";
      about.textContent = (offer().agents.find(({ spec: text }) => `agent:${text}` === who.value) || {}).about || "";
    };
    who.addEventListener("change", change);
    const mark = made("span", "●■▲◆"[number % 4], "mark");
    mark.setAttribute("aria-hidden", "true");
    item.append(mark, who, name, spec, about);
    item.chosen = () => {
      if (who.value === "other") return { agent: spec.value.trim() || offer().opponent };
      if (who.value.startsWith("agent:")) return { agent: who.value.slice(6) };
      return { name: name.value.trim() || null, here: who.value === "here" };
    };
    change();
    return item;
  };
  const seats = () => get("new-seats").replaceChildren(...Array.from({ length: setup().num_players }, (_, k) => seat(k)));
  const choose = () => {
    rulesOf = offer().game;
    get("new-setup").replaceChildren(...offer().setups.map(({ name, num_players: number }) => (
      option(name, /player/.test(name) || name === offer().title ? name : `${name} (${number} player${number > 1 ? "s" : ""})`)
    )));
    get("new-setup").closest("label").hidden = offer().setups.length < 2;
    get("new-fields").replaceChildren(...offer().fields.map(({ name, label, choices }) => {
      const element = made("label", `${label} `), select = made("select");
      select.dataset.name = name;
      select.append(...choices.map((choice) => option(JSON.stringify(choice), { true: "yes", false: "no" }[choice] || choice)));
      element.append(select);
      return element;
    }));
    seats();
    ask(`/api/rules/${rulesOf}`).then(({ aim }) => { get("new-aim").textContent = aim.join(" "); }).catch(() => {});
  };
  get("new-game").replaceChildren(...offers.map(({ game, title }) => option(game, title)));
  const last = kept.get("game");
  if (offers.some(({ game }) => game === last)) get("new-game").value = last;
  else if (offers.some(({ game }) => game === "romans-go-home")) get("new-game").value = "romans-go-home";
  get("new-game").addEventListener("change", choose);
  get("new-setup").addEventListener("change", seats);
  choose();
  get("rules-open").hidden = false;

  get("new").addEventListener("submit", (event) => {
    event.preventDefault();
    const button = get("new").querySelector("[type=submit]");
    tried(async () => {
      const fields = {};
      for (const select of get("new-fields").querySelectorAll("select")) fields[select.dataset.name] = JSON.parse(select.value);
      kept.set("game", offer().game);
      button.disabled = true;
      const game = await ask("/api/games", {
        game: offer().game, setup: setup().name, fields, seats: [...get("new-seats").children].map((item) => item.chosen()),
        is_open: get("new-open").checked,
      });
      remember(game.id);
      location.assign(`/games/${game.id}`);
    })().finally(() => { button.disabled = false; });
  });

  const found = await ask("/api/games"), own = ownGames();
  const absent = own.filter((id) => !found.some((game) => game.id === id)).slice(0, 20);
  const others = await Promise.all(absent.map((id) => ask(`/api/games/${id}`).catch(() => null)));
  const shown = [...found, ...others.filter(Boolean)].sort((one, other) => (
    one.is_over - other.is_over || own.includes(other.id) - own.includes(one.id) || other.changed - one.changed
  ));
  get("list").replaceChildren(...shown.map((game) => {
    const item = made("li"), link = made("a");
    link.href = `/games/${game.id}`;
    const isOwn = own.includes(game.id), names = game.players.map(({ name }) => name).join(", ");
    const state = game.is_over ? `won by ${game.winners.join(" and ")}` : isOwn ? "go on" : "watch";
    const setupName = game.setup === game.title ? "" : ` ${game.setup}`;
    link.append(made("b", `${game.title}${setupName}: ${names}`), made("span", new Date(1000 * game.changed).toLocaleString(), "muted"), made("span", state, isOwn && !game.is_over ? "tag own" : "tag"));
    item.append(link);
    return item;
  }));
  get("list-empty").hidden = shown.length > 0;
};

// -- a game

const table = (id) => {
  const api = `/api/games/${id}`;
  let summary, seat = null, source = null, waiting = [], shown = null, bands = [], timer = null, shownAt = 0, lastDelay = 0;
  let taken = null, hint = null, typed = "", typedAt = 0, isBusy = false, remarks = [], highest = -1, isSteered = false, isLost = false, reopening = 0, reopenAfter = 1000;

  // -- what is shown

  const who = (player) => (shown.players.find((one) => one.player === player) || { name: player }).name;
  const isAsked = () => Boolean(shown && shown.choices && shown.choices.length);
  const capital = (text) => text ? text[0].toUpperCase() + text.slice(1) : text;

  const status = () => {
    let text = "";
    if (shown.is_over) text = "The game is over.";
    else if (isAsked()) text = "It is your turn.";
    else if (shown.thinks) text = `${capital(who(shown.thinks))} thinks…`;
    else if (shown.to_act) text = who(shown.to_act) === "you" ? "It is your turn." : `${capital(who(shown.to_act))} decides.`;
    else if (!waiting.length) text = "Somebody decides.";
    if (get("status").textContent !== text) get("status").textContent = text;
    // The log reads it aloud.
    get("now").textContent = text ? "" : get("log").lastChild?.textContent || "";
    document.title = `${isAsked() ? "● " : ""}${shown.title} – Romans`;
    get("players").replaceChildren(...shown.players.map(({ player, name, kind, agent, mark }) => {
      const detail = kind === "rule" ? "plays by rule" : agent && agent !== name ? agent : "";
      const item = made("li", `${mark} ${name}${detail ? ` (${detail})` : ""}`, player === shown.to_act ? "now" : "");
      if (player === shown.to_act) item.append(made("span", " – to act"));
      return item;
    }));
  };

  const ABOUT = get("about").textContent;
  const about = (spot) => {
    const phrases = spot.actions.map(phrase).filter(Boolean);
    const does = phrases.length === 1 ? ` ${capital(phrases[0])}.` : phrases.length > 1 ? ` ${phrases.length} choices.` : "";
    get("about").replaceChildren(made("b", `${capital(spot.name)}. `), `${spot.text}${does}`);
  };
  const phrase = (action) => (shown.choices || []).find((one) => one.action === action)?.phrase;

  const board = () => {
    const { width, bands: parts } = shown.picture, picture = get("picture");
    let y = 0;
    const content = parts.map(([height, svg]) => {
      const part = `<g transform="translate(0 ${y})">${svg}</g>`;
      y += height;
      return part;
    });
    picture.setAttribute("viewBox", `0 0 ${width} ${y}`);
    picture.setAttribute("class", `board-${shown.game}`);
    picture.innerHTML = `<rect width="${width}" height="${y}" rx="10" class="bg"/>${content.join("")}`;
    if (!isAsked()) {
      void picture.getBoundingClientRect();
      picture.classList.add("fade");
    }
    const hadFocus = get("spots").contains(document.activeElement);
    get("spots").replaceChildren(...shown.spots.map((spot, number) => spotButton(spot, number, width, y)));
    roving(get("spots"));
    get("about").textContent = ABOUT;
    if (hadFocus) get("spots").querySelector(".can, .spot")?.focus({ preventScroll: true });
    marks();
  };

  const spotButton = (spot, number, width, height) => {
    const button = made("button", "", "spot"), [left, top, wide, high] = spot.box;
    button.type = "button";
    button.style.left = `${100 * left / width}%`;
    button.style.top = `${100 * top / height}%`;
    button.style.width = `${100 * wide / width}%`;
    button.style.height = `${100 * high / height}%`;
    button.dataset.number = number;
    const phrases = spot.actions.map(phrase).filter(Boolean);
    const does = phrases.length === 1 ? `: ${phrases[0]}` : phrases.length > 1 ? `: ${phrases.length} choices` : "";
    button.setAttribute("aria-label", `${capital(spot.name)}${does}. ${spot.text}`.trim());
    if (spot.actions.length === 1) button.dataset.action = spot.actions[0];
    if (spot.actions.length) button.classList.add("can");
    if (spot.actions.length && !spot.text) button.classList.add("place");
    button.addEventListener("pointerenter", () => about(spot));
    button.addEventListener("focus", () => about(spot));
    button.addEventListener("click", () => { if (!button.wasDragged) choose(spot); });
    if (spot.actions.length) draggable(button, spot);
    return button;
  };

  const draggable = (button, spot) => {
    let start = null, ghost = null;
    const drop = (event) => {
      if (ghost) {
        ghost.remove();
        const under = document.elementsFromPoint(event.clientX, event.clientY)
          .filter((one) => one.classList.contains("spot") && one !== button)
          .map((one) => shown.spots[one.dataset.number]);
        const both = under.map((other) => other.actions.filter((action) => spot.actions.includes(action))).find((found) => found.length);
        if (both && both.length === 1) act(both[0]);
        else if (both) { taken = both; marks(); } else { taken = null; marks(); }
        setTimeout(() => { button.wasDragged = false; }, 0);
      }
      start = ghost = null;
    };
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      start = [event.clientX, event.clientY];
      button.setPointerCapture(event.pointerId);
    });
    button.addEventListener("pointermove", (event) => {
      if (!start) return;
      if (!ghost && Math.hypot(event.clientX - start[0], event.clientY - start[1]) > 6) {
        ghost = get("picture").cloneNode(true);
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
    about(spot);
    if (!spot.actions.length || !isAsked()) return;
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
    for (const button of get("spots").children) {
      const spot = shown.spots[button.dataset.number], left = taken ? spot.actions.filter((action) => taken.includes(action)) : [];
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
    const best = hint && Math.max(...Object.values(hint.probabilities));
    let group = "";
    const items = [];
    all.forEach((choice, number) => {
      if (taken && !taken.includes(choice.action)) return;
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
        button.append(made("span", `${Math.round(100 * share)} %`, "share"), bar);
        if (share === best) button.classList.add("best");
      }
      button.addEventListener("click", () => act(choice.action));
      item.append(button);
      items.push(item);
    });
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
    get("question").textContent = shown.is_over ? "The end" : asked ? shown.question : seat === null ? "You are watching" : waiting.length ? "Watch what happens" : "Wait for the others";
    get("result").hidden = !shown.result;
    get("result").textContent = shown.result || "";
    get("end").hidden = !shown.is_over;
    get("choices").hidden = !asked;
    get("tools").hidden = get("plan-form").hidden = seat === null || shown.is_over;
    get("undo").disabled = !shown.may_undo;
    get("hint").disabled = !asked;
    for (const keys of document.querySelectorAll(".keys")) keys.hidden = seat === null || shown.is_over;
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
      const kind = line.startsWith("==") ? "head" : line.startsWith("  ") ? "deep" : "";
      return made("div", line.trim().replace(/^== ?| ?==$/g, "").replace(/ == /g, ": "), start ? `${kind} new` : kind);
    }));
    if (isAtEnd || start === 0) list.scrollTop = list.scrollHeight;
  };

  const show = (look) => {
    const isFirst = !shown;
    shown = { ...shown, ...look };
    if (look.serial !== undefined) highest = look.serial;
    shownAt = performance.now();
    lastDelay = isAsked() || shown.is_over ? 0 : Number(get("speed").value);
    taken = hint = null;
    get("hinted").textContent = "";
    if (isFirst) opening();
    log(look.log.lines, look.log.start);
    status();
    board();
    decision();
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
    if (!document.querySelector("link[data-board]")) {
      const link = made("link");
      link.rel = "stylesheet";
      link.href = `/boards/${shown.game}.css`;
      link.dataset.board = shown.game;
      document.head.append(link);
    }
    get("pace").value = String(shown.pace);
    get("pace-label").hidden = !shown.players.some(({ kind }) => kind === "agent");
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
    source = new EventSource(`${api}/events${seat === null ? "" : `?seat=${seat}`}`);
    for (const kind of ["view", "look", "thinks", "pace", "note"]) {
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
    get("picture").replaceChildren();
    get("spots").replaceChildren();
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
      if (error.status === 409 && error.answer.view) {
        waiting = [];
        bands = error.answer.view.picture.bands;
        show(error.answer.view);
      }
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
    get("hinted").textContent = "Asking…";
    try {
      const found = await post("hint", { seat, move, agent: get("adviser").value });
      if (shown.move !== move) return;
      hint = found;
      const value = found.value === null ? "" : ` It expects a return of ${found.value.toFixed(2).replace("-", "−")} for you (1 is a win, −1 a loss).`;
      const [name, share] = Object.entries(found.probabilities)[0];
      get("hinted").textContent = `${found.agent} would ${phrase(name)} (${Math.round(100 * share)} %).${value} The record says that you asked.`;
      marks();
      choices();
    } catch (error) {
      get("hinted").textContent = "";
      throw error;
    }
  });
  const play = tried(async () => {
    const plan = get("plan").value.trim();
    if (!plan || !isAsked() || isBusy) return;
    isBusy = true;
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
    if (event.ctrlKey || event.metaKey || event.altKey || get("rules").open || get("curtain").open) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && target.type !== "checkbox") return;
    const list = get("spots").contains(target) ? get("spots") : get("choices");
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
  get("zoom").addEventListener("change", () => get("board").classList.toggle("large", get("zoom").checked));
  get("pace").addEventListener("change", tried(async () => {
    get("pace").disabled = true;
    try {
      await ask(`${api}/pace`, { pace: Number(get("pace").value) });
    } finally {
      get("pace").disabled = false;
    }
  }));

  const hosting = async () => {
    get("host").hidden = !summary.is_host;
    if (!summary.is_host) return;
    const links = await ask(`${api}/links`);
    get("links").hidden = !links.length;
    get("links").open = links.some(({ seat: number }) => !summary.seats.includes(number));
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
    summary = await ask(api);
    if (summary.seats.length || summary.is_host) remember(id);
    seat = joined ?? summary.seats[0] ?? null;
    if (joined !== null) summary.seats = [joined];
    const offer = (await ask("/api/offers")).find(({ game }) => game === summary.game);
    get("adviser").replaceChildren(...offer.agents.map(({ spec, about: why }) => {
      const option = made("option", spec);
      option.value = spec;
      option.title = why;
      return option;
    }));
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
