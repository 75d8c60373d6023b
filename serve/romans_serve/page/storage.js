// What this browser stores: settings, and the games that were started or joined in it.

const MOST_GAMES = 60;

export const kept = {
  get: (name) => { try { return localStorage.getItem(name); } catch { return null; } },
  set: (name, value) => { try { localStorage.setItem(name, value); } catch { /* a browser that stores nothing */ } },
  read: (name, otherwise) => { try { return JSON.parse(kept.get(name)) ?? otherwise; } catch { return otherwise; } },
  write: (name, value) => kept.set(name, JSON.stringify(value)),
};

export const ownGames = () => kept.read("games", []);
export const remember = (id) => {
  kept.write("games", [id, ...ownGames().filter((other) => other !== id)].slice(0, MOST_GAMES));
};
