"use strict";
(async () => {
  const get = (id) => document.getElementById(id);
  const letters = atob(get("data").textContent);
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const games = JSON.parse(await new Response(plain).text());
  let game, frames, lines, at = 0, timer = null;

  const made = (name, text, className) => {
    const element = document.createElement(name);
    element.textContent = text;
    if (className) element.className = className;
    return element;
  };

  const shortened = (text, limit) => text.length > limit ? `${text.slice(0, limit - 1)}…` : text;

  // The agent beside the name of its player, wherever that is a word of a text.
  const withAgents = (text, limit) => text.replace(/\w+/g, (word) => (
    Object.hasOwn(game.agents, word) ? `${shortened(game.agents[word], limit)} (${word})` : word
  ));

  // In a picture an agent has its name alone, without its file and its options, and its seat where another has the name, too.
  const nameOf = (agent) => agent.replace(/^.*\.py:|^.*\//, "").replace(/:.*$/, "");
  const label = (player) => {
    const name = nameOf(game.agents[player]), isShared = Object.values(game.agents).filter((other) => nameOf(other) === name).length > 1;
    return isShared ? `${shortened(name, 12)} ${player.replace(/\D+/, "")}` : shortened(name, 14);
  };
  // The one person who plays is who reads the review.
  const addressed = (text) => {
    const [you, other] = Object.keys(game.agents).filter((player) => game.agents[player] === "human");
    const line = withAgents(text.replace(/\w+/g, (word) => word === you && !other ? "you" : word), 22);
    return line[0].toUpperCase() + line.slice(1);
  };

  const nameAgents = (picture) => {
    const walker = document.createTreeWalker(picture, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode;
      text.data = text.data.replace(/\w+/g, (word) => Object.hasOwn(game.agents, word) ? label(word) : word);
    }
  };

  // A narrow screen has pictures of its own, where the game draws them.
  const isNarrow = matchMedia("(max-width: 640px)");
  const board = () => {
    const { bands, narrow } = frames[at], hasOwn = isNarrow.matches && narrow;
    const stacked = hasOwn ? narrow : bands.map((number, k) => [game.heights[k], number]);
    const width = hasOwn ? game.narrow_width : game.width;
    let y = 0;
    const parts = stacked.map(([height, number]) => {
      const part = `<g transform="translate(0 ${y})">${game.bands[number]}</g>`;
      y += height;
      return part;
    });
    get("board").setAttribute("viewBox", `0 0 ${width} ${y}`);
    get("board").innerHTML = `<rect width="${width}" height="${y}" rx="10" class="bg"/>` + parts.join("");
    nameAgents(get("board"));
  };

  const bar = (name, share, text, isChosen, isValue) => {
    const row = made("div", "", isChosen ? "row chosen" : "row");
    const track = made("span", "", "track");
    const fill = document.createElement("i");
    if (isValue) {
      fill.style.left = `${Math.min(50, 50 + 50 * share)}%`;
      fill.style.width = `${50 * Math.abs(share)}%`;
      track.append(fill, document.createElement("b"));
    } else {
      fill.style.width = `${100 * share}%`;
      track.append(fill);
    }
    row.append(made("span", (isChosen ? "▸ " : "") + name), track, made("span", text, "number"));
    return row;
  };

  const opinion = () => {
    const { opinion: thought, chosen } = frames[at];
    get("opinion").hidden = chosen === undefined;
    if (!thought) {
      get("opinion").replaceChildren(made("p", `Chosen next: ${chosen}`));
      return;
    }
    if (thought.assessment) {
      get("opinion").replaceChildren(...assessed(thought));
      return;
    }
    const rows = [made("p", `What ${thought.agent} thinks of this decision; chosen next: ${chosen}`)];
    if (thought.value !== null) {
      const share = Math.max(-1, Math.min(1, thought.value));
      rows.push(bar("expected return", share, thought.value.toFixed(2).replace("-", "−"), false, true));
    }
    for (const [name, share] of thought.probabilities) {
      rows.push(bar(name, share, `${(100 * share).toFixed(1)} %`, name === chosen, false));
    }
    get("opinion").replaceChildren(...rows);
  };

  // -- the review

  const percent = (share) => `${Math.round(100 * share)} %`;
  const cost = ({ grade, loss }) => {
    const lost = (100 * loss).toFixed(1);
    return grade === "good" ? "good" : `${grade}, ${Number(lost) ? "−" : ""}${lost} % to win`;
  };

  const assessed = ({ agent, assessment }) => {
    const rows = [made("p", `${addressed(assessment.player)}: ${cost(assessment)}. The chance to win by choice, as ${agent} sees it:`, assessment.grade)];
    const isPlayed = ([name]) => name === assessment.played;
    for (const [name, share] of [...assessment.shares].sort((one, other) => isPlayed(other) - isPlayed(one))) {
      const row = bar(name, Math.max(0, Math.min(1, share)), percent(share), name === assessment.played, false);
      row.classList.add("long");
      rows.push(row);
    }
    return rows;
  };

  const drawn = (name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };

  const jump = (frame) => {
    stop();
    show(frame);
    get("table").scrollIntoView({ block: "start" });
  };

  const review = () => {
    get("review").hidden = game.review.length === 0;
    if (get("review").hidden) return;
    get("review-text").replaceChildren(...game.review.map((line) => made("span", addressed(line))));
    const judged = frames.map(({ opinion: thought }, frame) => ({ frame, ...thought?.assessment })).filter(({ player }) => player);
    const worst = judged.filter(({ grade }) => grade !== "good").sort((one, other) => other.loss - one.loss).slice(0, 3);
    get("worst").replaceChildren(...worst.map((one) => {
      const item = made("li", ""), button = made("button", `${addressed(one.player)}: ${cost(one)}`, one.grade);
      button.type = "button";
      button.addEventListener("click", () => jump(one.frame));
      const [[best, share]] = one.shares;
      const played = one.shares.find(([name]) => name === one.played)[1];
      item.append(button, made("p", `Played (${percent(played)}): ${one.played}.`), made("p", `Better (${percent(share)}): ${best}.`));
      return item;
    }));
    // One player's chances, with the choices of that player as points; the first of them by default.
    const players = [...new Set(judged.map(({ player }) => player))];
    const of = players.includes(game.views[get("view").value].viewer) ? game.views[get("view").value].viewer : players[0];
    const own = judged.filter(({ player }) => player === of), last = Math.max(1, frames.length - 1);
    const points = own.map((one) => [62 + 530 * one.frame / last, 122 - 114 * Math.max(0, Math.min(1, one.shares[0][1])), one]);
    get("curve").replaceChildren(
      ...[0, 0.5, 1].flatMap((share) => {
        const y = 122 - 114 * share, mark = drawn("text", { x: 49, y: Math.min(128, Math.max(13, y + 5)) });
        mark.textContent = percent(share);
        return [drawn("line", { x1: 54, x2: 600, y1: y, y2: y }), mark];
      }),
      drawn("polyline", { points: points.map(([x, y]) => `${x},${y}`).join(" ") }),
      ...points.map(([x, y, one]) => {
        const point = drawn("circle", { cx: x, cy: y, r: one.grade === "good" ? 4 : 7, class: one.grade });
        point.append(drawn("title", {}));
        point.firstChild.textContent = `${percent(one.shares[0][1])}; ${cost(one)}`;
        point.addEventListener("click", () => jump(one.frame));
        return point;
      }),
    );
    get("curve-of").textContent = of ? `${addressed(of)}: the chance to win; large points are choices that were not good.` : "";
  };

  const show = (place) => {
    at = Math.max(0, Math.min(frames.length - 1, place));
    board();
    opinion();
    get("place").value = at;
    get("count").textContent = `${at + 1} of ${frames.length}`;
    let current = null;
    for (const { item, frame } of lines) {
      item.classList.toggle("later", frame > at);
      const isNow = frame === at;
      item.classList.toggle("now", isNow);
      if (frame <= at) current = item;
    }
    const log = get("log");
    if (current) {
      const low = current.offsetTop - log.offsetTop, view = log.clientHeight;
      if (low < log.scrollTop || low + 40 > log.scrollTop + view) log.scrollTop = low - view / 2;
    } else log.scrollTop = 0;
    if (at === frames.length - 1) stop();
  };

  const stop = () => {
    clearTimeout(timer);
    timer = null;
    get("play").textContent = "▶ Play";
  };
  const tick = () => {
    timer = setTimeout(() => { show(at + 1); if (timer) tick(); }, Number(get("speed").value));
  };
  const play = () => {
    if (timer) return stop();
    if (at === frames.length - 1) show(0);
    get("play").textContent = "❚❚ Stop";
    tick();
  };

  const choose = (view, moment) => {
    frames = game.views[view].frames;
    get("place").max = frames.length - 1;
    lines = [];
    frames.forEach((frame, number) => frame.lines.forEach((line) => {
      const item = made("li", withAgents(line.replace(/^== (.*?) ==( ?)/, (_, title, more) => title + (more && ": ")).trim(), 22), line.startsWith("==") ? "head" : line.startsWith("  ") ? "deep" : "");
      item.tabIndex = 0;
      item.addEventListener("click", () => { stop(); show(number); });
      item.addEventListener("keydown", (event) => { if (event.key === "Enter") { stop(); show(number); } });
      lines.push({ item, frame: number });
    }));
    get("log").replaceChildren(...lines.map(({ item }) => item));
    const sections = new Map();
    frames.forEach((frame, number) => { if (!sections.has(frame.section)) sections.set(frame.section, number); });
    get("sections").replaceChildren(...[...sections].map(([section, number]) => {
      const button = made("button", section);
      button.type = "button";
      button.addEventListener("click", () => { stop(); show(number); });
      return button;
    }));
    review();
    let place = 0;
    frames.forEach((frame, number) => { if (frame.moment <= moment) place = number; });
    show(place);
  };

  const legend = () => {
    const groups = game.legend.map(({ title, entries }) => {
      const list = document.createElement("ul");
      list.append(...entries.map(([symbol, text]) => {
        const item = document.createElement("li");
        item.innerHTML = `<svg class="${get("board").getAttribute("class")}" viewBox="0 0 24 24" aria-hidden="true">${symbol}</svg>`;
        item.append(made("span", withAgents(text, 22)));
        return item;
      }));
      return [made("h3", title), list];
    });
    get("legend").hidden = groups.length === 0;
    get("legend").replaceChildren(made("summary", "Symbols"), ...groups.flat());
  };

  const open = (number) => {
    stop();
    game = games[number];
    get("title").textContent = withAgents(game.title, 22);
    get("view").replaceChildren(...game.views.map(({ viewer }, k) => {
      const agent = game.agents[viewer];
      const option = made("option", agent ? `${viewer} (${agent})` : viewer);
      option.value = k;
      return option;
    }));
    // A picture gets the room of a wide window, as long as all of it stays in sight; below a low one is room for an opinion.
    const aspect = game.width / game.heights.reduce((sum, height) => sum + height, 0);
    get("table").style.setProperty("--aspect", aspect);
    get(aspect > 1.6 ? "table" : "story").append(get("opinion"));
    legend();
    choose(0, game.start);
  };

  get("games").hidden = games.length === 1;
  get("game").replaceChildren(...games.map(({ title }, k) => {
    const option = made("option", `${k + 1}. ${title}`);
    option.value = k;
    return option;
  }));
  const step = (by) => { stop(); show(at + by); };
  const actions = {
    first: () => { stop(); show(0); }, back: () => step(-1), play, on: () => step(1), last: () => { stop(); show(frames.length - 1); },
    theme: () => {
      const root = document.documentElement, now = root.dataset.theme;
      const isDark = now ? now === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = isDark ? "light" : "dark";
    },
  };
  for (const [id, action] of Object.entries(actions)) get(id).addEventListener("click", action);
  get("place").addEventListener("input", () => { stop(); show(Number(get("place").value)); });
  get("view").addEventListener("change", () => choose(Number(get("view").value), frames[at].moment));
  get("game").addEventListener("change", () => open(Number(get("game").value)));
  const keys = { ArrowLeft: actions.back, ArrowRight: actions.on, Home: actions.first, End: actions.last, " ": play };
  document.addEventListener("keydown", (event) => {
    if (/SELECT|INPUT|BUTTON/.test(event.target.tagName) || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  isNarrow.addEventListener("change", board);
  open(0);
  const [, named] = location.hash.match(/^#(\d+)$/) || [];
  if (named) show(Number(named) - 1);
  document.documentElement.dataset.ready = "yes";
})();
