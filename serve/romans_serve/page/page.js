// Starts the page of the server: the first screen, or a game.

import { home } from "./home.js";
import { tried } from "./messages.js";
import { stillOf } from "./offers.js";
import { ask } from "./requests.js";
import { makeRules } from "./rules.js";
import { servedGame } from "./served_game.js";
import { startTheme } from "./theme.js";

startTheme();
const rules = makeRules((game) => ask(`/api/rules/${encodeURIComponent(game)}`), stillOf);
const [, id] = location.pathname.match(/^\/games\/([\w-]+)$/) || [];
await tried(id ? () => servedGame(id, rules) : () => home(rules))();
document.documentElement.dataset.ready = "yes";
