// The runtime of functions translated from Python: collections, strings, numbers and built-in functions. Tuples and
// lists are both arrays. Every name behaves as in Python, as far as the translated functions use it.

const NOTHING = Symbol("nothing");

export class Keywords {
  constructor(entries) { this.entries = entries; }
}
const parted = (given) => (
  given.at(-1) instanceof Keywords ? [given.slice(0, -1), given.at(-1).entries] : [given, {}]
);

// -- functions, classes and their arguments

// Arguments in the order of a signature: positional ones, keyword-only ones, and the remaining ones.
export const bound = ({ names, only, star, rest, defaults }, given) => {
  const [placed, named] = parted(given), left = { ...named };
  const taken = (name) => {
    const value = Object.hasOwn(left, name) ? left[name] : defaults[name]?.();
    delete left[name];
    return value;
  };
  const found = names.map((name, k) => (k < placed.length ? placed[k] : taken(name)));
  if (star) found.push(placed.slice(names.length));
  found.push(...only.map(taken));
  if (rest) found.push(new Dict(Object.entries(left)));
  return found;
};
const arranged = (params, args, keywords) => {
  if (!params) return [...args, new Keywords(keywords)];
  return params.map((name, k) => (k < args.length ? args[k] : keywords[name]));
};
const isClass = (value) => typeof value === "function" && value.prototype instanceof Instance;
export const make = (kind, args, keywords = {}) => {
  const made = new kind();
  const isNamed = Object.keys(keywords).length > 0;
  made.__init__?.(...(isNamed ? arranged(made.__init__.params, args, keywords) : args));
  return made;
};
export const call = (called, args, keywords) => (
  isClass(called) ? make(called, args, keywords) : called(...arranged(called.params, args, keywords))
);
export const run = (called, args) => (isClass(called) ? make(called, args) : called(...args));
export const call_method = (of, name, args, keywords = null) => {
  const own = of?.[name];
  if (typeof of === "function" || isHost(of)) {
    return own.call(of, ...(keywords ? arranged(own.params, args, keywords) : args));
  }
  const methods = typeof of === "string" ? TEXTS : of instanceof Values ? VALUES : LISTS;
  return methods[name](of, ...args, ...(keywords ? [new Keywords(keywords)] : []));
};
const isHost = (of) => typeof of === "object" && of !== null && !Array.isArray(of);
// A method taken from a class expects its object as the first argument.
const unbound = (method) => (self, ...given) => method.apply(self, given);
export const got = (of, name) => {
  if (isClass(of) && !(name in of)) return unbound(of.prototype[name]);
  const found = of[name];
  // A method that is passed on stays bound to its object; a function stored in an instance is not bound.
  return typeof found === "function" && !Object.hasOwn(of, name) && !isClass(found) ? handed(of, found) : found;
};
export const getattr = (of, name, otherwise = NOTHING) => {
  if (of[name] === undefined && otherwise !== NOTHING) return otherwise;
  return got(of, name);
};
const handed = (of, method) => Object.assign((...given) => method.apply(of, given), { params: method.params });
export const attribute = (of, name) => {
  return isHost(of) ? got(of, name) : (...given) => call_method(of, name, given);
};

export class Instance {}
export class NamedTuple extends Instance {
  * [Symbol.iterator]() { for (const name of this.constructor.names) yield this[name]; }

  get length() { return this.constructor.names.length; }

  _replace({ entries }) { return Object.assign(new this.constructor(), this, entries); }
}
NamedTuple.prototype._replace.params = null;
export const fields = (kind, names, defaults) => {
  kind.names = names;
  kind.params = names;
  kind.prototype.__init__ = function __init__(...given) {
    names.forEach((name, k) => { this[name] = given[k] === undefined ? defaults[name]() : given[k]; });
    this.__post_init__?.();
  };
  kind.prototype.__init__.params = names;
};
// Makes an instance from its fields, without calling its constructor.
export const filled = (kind, values) => {
  const made = new kind();
  kind.names.forEach((name, k) => { made[name] = values[k]; });
  return made;
};
export const method = (where, name, holder, params) => {
  const made = holder[name];
  // The class in which `super` looks.
  Object.setPrototypeOf(holder, Object.getPrototypeOf(where));
  made.params = params;
  Object.defineProperty(where, name, { value: made, writable: true, configurable: true });
};
export const property = (where, name, { get }) => Object.defineProperty(where, name, { get, configurable: true });
export const dataclasses$replace = (one, { entries }) => Object.assign(new one.constructor(), one, entries);
dataclasses$replace.params = null;

// -- collections

const isList = (value) => typeof value === "object" && value !== null && Boolean(value[Symbol.iterator]);
// Maps keys to strings, equal for equal keys.
const keyOf = (key) => {
  if (typeof key === "string") return key;
  if (isList(key)) return `(${[...key].map(keyOf).join("\u0001")})`;
  return typeof key === "boolean" ? Number(key) : key;
};
export class Dict {
  constructor(entries = []) {
    this.held = new Map();
    for (const [key, value] of entries) this.set(key, value);
  }

  set(key, value) {
    const name = keyOf(key), old = this.held.get(name);
    this.held.set(name, old ? [old[0], value] : [key, value]);
  }

  has(key) { return this.held.has(keyOf(key)); }

  get(key, otherwise = null) { return this.has(key) ? this.held.get(keyOf(key))[1] : otherwise; }

  __getitem__(key) {
    if (!this.has(key)) throw new Error(`there is no key ${key}`);
    return this.held.get(keyOf(key))[1];
  }

  * [Symbol.iterator]() { for (const [key] of this.held.values()) yield key; }

  keys() { return [...this]; }

  values() { return [...this.held.values()].map(([, value]) => value); }

  items() { return [...this.held.values()].map(([key, value]) => [key, value]); }

  get length() { return this.held.size; }

  setdefault(key, value) {
    if (!this.has(key)) this.set(key, value);
    return this.get(key);
  }

  update(other) { for (const [key, value] of entries_of(other)) this.set(key, value); }

  pop(key, otherwise = null) {
    const value = this.get(key, otherwise);
    this.held.delete(keyOf(key));
    return value;
  }

  copy() { return new Dict(this.items()); }
}
export class PlainSet {
  constructor(items = []) { this.held = new Dict([...items].map((one) => [one, true])); }

  has(one) { return this.held.has(one); }

  add(one) { this.held.set(one, true); }

  [Symbol.iterator]() { return this.held[Symbol.iterator](); }

  get length() { return this.held.length; }
}
// An array of numbers; comparisons with it are elementwise.
export class Values extends Array {}
const isNested = (values) => Array.isArray(values[0]);
export const array = (values) => (Array.isArray(values) ? Values.from(values, array) : values);
export const set = (items = []) => new PlainSet(items);
export const frozenset = set;
export const entries_of = (mapping) => (mapping instanceof Dict ? mapping.items() : Object.entries(mapping));
export const plain_keys = (mapping) => Object.fromEntries(entries_of(mapping));
export const gathered = (values, before, after) => {
  const all = [...values];
  return [...all.slice(0, before), all.slice(before, all.length - after), ...all.slice(all.length - after)];
};
const placeOf = (of, key) => (key < 0 ? key + of.length : key);
export const item = (of, key) => {
  if (of instanceof Dict) return of.__getitem__(key);
  if (of instanceof NamedTuple) return of[of.constructor.names[placeOf(of, Number(key))]];
  if (of?.item && !(of instanceof Values)) return of.item(key);
  if (Array.isArray(key)) return key.reduce(item, of);
  const found = of[placeOf(of, Number(key))];
  if (found === undefined) throw new Error(`there is no item ${key}`);
  return found;
};
export const set_item = (of, key, value) => {
  if (of instanceof Dict) of.set(key, value);
  else if (of.set_item) of.set_item(key, value);
  else if (Array.isArray(key)) set_item(key.slice(0, -1).reduce(item, of), key.at(-1), value);
  else of[placeOf(of, Number(key))] = value;
};
export const slice = (of, lower, upper, step = 1) => {
  if (of?.slice_of) return of.slice_of();
  const all = typeof of === "string" ? of : [...of];
  if (step === 1) return all.slice(lower ?? 0, upper ?? undefined);
  if (lower !== null || upper !== null || step !== -1) throw new Error("such a slice is not known");
  const backwards = [...all].reverse();
  return typeof of === "string" ? backwards.join("") : backwards;
};

// -- truth and comparison

export const truth = (value) => {
  if (!value) return false;
  return typeof value !== "object" || value.length !== 0 || !(Array.isArray(value) || value[Symbol.iterator]);
};
export const and = (one, other) => (truth(one) ? other() : one);
export const or = (one, other) => (truth(one) ? one : other());
const areNumbers = (...values) => values.every((one) => ["number", "boolean"].includes(typeof one));
const isSame = (one, other) => {
  if (one === other) return true;
  // In Python, True equals 1.
  if (typeof one === "boolean" || typeof other === "boolean") return areNumbers(one, other) && Number(one) === Number(other);
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (one instanceof Dict || one instanceof PlainSet) {
    if (other.constructor !== one.constructor || one.length !== other.length) return false;
    const isValueSame = (key) => one instanceof PlainSet || isSame(one.get(key), other.get(key));
    return [...one].every((key) => other.has(key) && isValueSame(key));
  }
  if (!one[Symbol.iterator] || !other[Symbol.iterator] || one.length !== other.length) return false;
  const others = [...other];
  return [...one].every((value, k) => isSame(value, others[k]));
};
const each = (one, other, compared) => {
  const isMany = one instanceof Values ? one : other instanceof Values ? other : null;
  if (!isMany) return NOTHING;
  return Values.from(isMany, (_, k) => {
    const [left, right] = [one, other].map((side) => (side instanceof Values ? side[k] : side));
    const inner = each(left, right, compared);
    return inner === NOTHING ? compared(left, right) : inner;
  });
};
const order = (one, other) => {
  if (one === null || other === null) throw new Error("None has no order");
  if (typeof one !== "object") return one < other ? -1 : one > other ? 1 : 0;
  const [left, right] = [[...one], [...other]], k = left.findIndex((value, place) => !isSame(value, right[place]));
  return k < 0 || k >= right.length ? left.length - right.length : order(left[k], right[k]);
};
const compared = (test) => (one, other) => {
  const many = each(one, other, test);
  return many === NOTHING ? test(one, other) : many;
};
export const eq = compared(isSame);
export const ne = compared((one, other) => !isSame(one, other));
export const lt = compared((one, other) => order(one, other) < 0);
export const le = compared((one, other) => order(one, other) <= 0);
export const gt = compared((one, other) => order(one, other) > 0);
export const ge = compared((one, other) => order(one, other) >= 0);
export const contains = (all, one) => {
  if (typeof all === "string") return all.includes(one);
  if (all instanceof Dict || all instanceof PlainSet) return all.has(one);
  return [...all].some((other) => isSame(one, other));
};

// -- operators

const numeric = (plain) => (one, other) => {
  const many = each(one, other, plain);
  return many === NOTHING ? plain(one, other) : many;
};
export const add = (one, other) => {
  const isNumbers = one instanceof Values || other instanceof Values;
  if (isNumbers) return numeric((a, b) => a + b)(one, other);
  return isList(one) ? [...one, ...other] : one + other;
};
export const subtract = (one, other) => (
  one instanceof PlainSet ? set([...one].filter((value) => !other.has(value))) : numeric((a, b) => a - b)(one, other)
);
const repeated = (one, times) => (
  typeof one === "string" ? one.repeat(Math.max(0, times)) : Array(Math.max(0, times)).fill([...one]).flat()
);
export const multiply = (one, other) => {
  if (typeof one === "string" || (isList(one) && !(one instanceof Values))) return repeated(one, other);
  if (typeof other === "string" || (isList(other) && !(other instanceof Values))) return repeated(other, one);
  return numeric((a, b) => a * b)(one, other);
};
export const divide = numeric((one, other) => one / other);
export const floor_divide = numeric((one, other) => Math.floor(one / other));
export const modulo = numeric((one, other) => one - other * Math.floor(one / other));
export const power = (one, other) => one ** other;
export const bit_or = (one, other) => {
  if (one instanceof Dict) return new Dict([...one.items(), ...entries_of(other)]);
  if (one instanceof PlainSet) return set([...one, ...other]);
  return typeof one === "boolean" ? one || other : one | other;
};
export const bit_and = (one, other) => {
  if (one instanceof PlainSet) return set([...one].filter((value) => contains(other, value)));
  return typeof one === "boolean" ? one && other : one & other;
};
export const bit_xor = (one, other) => one ^ other;
export const shift_left = (one, other) => one << other;
export const shift_right = (one, other) => one >> other;
export const update = (one, other) => {
  if (!(one instanceof Dict)) return bit_or(one, other);
  one.update(other);
  return one;
};

// -- built-in functions

export const len = (all) => {
  if (typeof all === "string" || all.length !== undefined) return all.length;
  return [...all].length;
};
export const range = (first, stop = null, step = 1) => {
  const [from, to] = stop === null ? [0, first] : [first, stop];
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, k) => from + k * step);
};
// Lazy functions, which take one item at a time: later items may change what earlier ones refer to.
export const enumerate = function* enumerate(all, first = 0) {
  let k = first instanceof Keywords ? first.entries.start : first;
  for (const value of all) yield [k++, value];
};
export const zip = function* zip(...given) {
  const [all, { strict = false }] = parted(given), sources = all.map((one) => one[Symbol.iterator]());
  while (sources.length) {
    const found = sources.map((one) => one.next());
    if (found.some(({ done }) => done)) {
      if (strict && !found.every(({ done }) => done)) throw new Error("lists of different lengths");
      return;
    }
    yield found.map(({ value }) => value);
  }
};
export const map = function* map(called, ...all) { for (const given of zip(...all)) yield run(called, given); };
export const filter = function* filter(test, values) {
  for (const one of values) if (truth(test === null ? one : run(test, [one]))) yield one;
};
export const any = (values) => {
  for (const one of values) if (truth(one)) return true;
  return false;
};
export const all = (values) => {
  for (const one of values) if (!truth(one)) return false;
  return true;
};
export const sum = (values, start = 0) => {
  let total = start;
  for (const one of values) total = add(total, typeof one === "boolean" ? Number(one) : one);
  return total;
};
const keyed = (key) => (key ? (one) => run(key, [one]) : (one) => one);
export const sorted = (values, { entries = {} } = {}) => {
  const key = keyed(entries.key), decorated = [...values].map((one) => [key(one), one]);
  const sign = truth(entries.reverse) ? -1 : 1;
  return decorated.sort(([one], [other]) => sign * order(one, other)).map(([, one]) => one);
};
const extreme = (sign) => (...given) => {
  const [placed, { key, default: otherwise }] = parted(given), values = placed.length > 1 ? placed : [...placed[0]];
  if (!values.length && otherwise !== undefined) return otherwise;
  if (!values.length) throw new Error("the most of nothing");
  const rank = keyed(key);
  return values.reduce((best, one) => (sign * order(rank(one), rank(best)) > 0 ? one : best));
};
export const max = extreme(1);
export const min = extreme(-1);
export const abs = Math.abs;
export const divmod = (one, other) => [floor_divide(one, other), modulo(one, other)];
export const reversed = (values) => [...values].reverse();
export const next = (values, otherwise = NOTHING) => {
  const { done, value } = values.next();
  if (!done) return value;
  if (otherwise === NOTHING) throw new Error("nothing is left");
  return otherwise;
};
export const iter = (values) => values[Symbol.iterator]();
export const list = (values = []) => [...values];
export const tuple = list;
export const dict = (entries = [], keywords = null) => {
  if (entries instanceof Keywords) return new Dict(Object.entries(entries.entries));
  const made = new Dict(entries instanceof Dict ? entries.items() : entries);
  if (keywords) made.update(keywords.entries);
  return made;
};
dict.fromkeys = (keys, value = null) => new Dict([...keys].map((key) => [key, value]));
export const int = (value = 0) => (typeof value === "bigint" ? value : Math.trunc(Number(value)));
export const float = Number;
export const bool = (value) => truth(value);
export const type = (value) => {
  if (typeof value === "string") return str;
  if (typeof value === "boolean") return bool;
  if (typeof value === "number") return Number.isInteger(value) ? int : float;
  return value instanceof Dict ? dict : Array.isArray(value) ? list : value?.constructor ?? null;
};
export const isinstance = (value, kind) => {
  if (Array.isArray(kind)) return kind.some((one) => isinstance(value, one));
  if (kind === str) return typeof value === "string";
  if (kind === int) return typeof value === "boolean" || Number.isInteger(value);
  if (kind === float) return typeof value === "number";
  if (kind === bool) return typeof value === "boolean";
  if (kind === list || kind === tuple) return Array.isArray(value) || (kind === tuple && value instanceof NamedTuple);
  if (kind === dict) return value instanceof Dict;
  return value instanceof kind;
};
// Rounds half to even.
export const round = (value, digits = null) => {
  const places = digits ?? 0, scale = 10 ** places;
  if (Number.isInteger(value * 2 ** (places + 1)) && !Number.isInteger(value * scale)) {
    const scaled = value * scale, below = Math.floor(scaled);
    if (scaled - below === 0.5) return (below + (below % 2 === 0 ? 0 : 1)) / scale;
  }
  return Number(value.toFixed(places));
};
const raised = (name) => (text = "") => Object.assign(new Error(text), { name });
export const ValueError = raised("ValueError");
export const TypeError$ = raised("TypeError");
export const KeyError = raised("KeyError");
export const NotImplementedError = raised("NotImplementedError");
export const RuntimeError = raised("RuntimeError");

// -- strings

export const text = (value) => {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(repr).join(", ")}]`;
  return value.__str__ ? value.__str__() : String(value);
};
export const str = text;
export const repr = (value) => (typeof value === "string" ? `'${value}'` : text(value));
const SPEC = /^(?:(.)?([<>^]))?([+ ])?(0)?(\d+)?(,)?(?:\.(\d+))?([dfgs%])?$/;
const fixed = (value, places) => round(value, places).toFixed(places);
const general = (value, digits) => {
  if (value === 0) return "0";
  const exponent = Number(value.toExponential(digits - 1).split("e")[1]);
  if (exponent >= -4 && exponent < digits) {
    const said = fixed(value, digits - 1 - exponent);
    return said.includes(".") ? said.replace(/\.?0+$/, "") : said;
  }
  const [mantissa, power10] = value.toExponential(digits - 1).split("e");
  const size = String(Math.abs(power10)).padStart(2, "0");
  return `${mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa}e${power10 < 0 ? "-" : "+"}${size}`;
};
export const format = (value, spec) => {
  const found = SPEC.exec(spec);
  if (!found) throw new Error(`the format ${spec} is not known`);
  const [, fill, align, sign, zero, width = 0, commas, precision, kind] = found;
  let said;
  if (typeof value === "number" || typeof value === "boolean") {
    const number = Number(value);
    if (kind === "g") said = general(number, Number(precision ?? 6));
    else if (kind === "%") said = `${fixed(100 * number, Number(precision ?? 6))}%`;
    else said = kind === "f" || precision !== undefined ? fixed(number, Number(precision ?? 6)) : text(number);
    if (commas) said = said.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
    if (sign && number >= 0) said = sign + said;
  } else said = precision === undefined ? text(value) : text(value).slice(0, Number(precision));
  const missing = Math.max(0, Number(width) - said.length), with_ = zero ? "0" : fill ?? " ";
  const where = align ?? (typeof value === "number" ? ">" : "<");
  if (where === "^") return with_.repeat(Math.floor(missing / 2)) + said + with_.repeat(Math.ceil(missing / 2));
  return where === ">" ? with_.repeat(missing) + said : said + with_.repeat(missing);
};
const starts = (one, heads, test) => (Array.isArray(heads) ? heads : [heads]).some((head) => test(one, head));
const parts = (one, at, size) => [one.slice(0, at), one.slice(at, at + size), one.slice(at + size)];
const TEXTS = {
  join: (one, all) => [...all].join(one),
  split: (one, by = null, most = -1) => {
    if (by === null) return one.trim() === "" ? [] : one.trim().split(/\s+/);
    const all = one.split(by);
    return most < 0 || all.length <= most + 1 ? all : [...all.slice(0, most), all.slice(most).join(by)];
  },
  splitlines: (one) => one.replace(/\n$/, "").split("\n"),
  partition: (one, by) => (one.includes(by) ? parts(one, one.indexOf(by), by.length) : [one, "", ""]),
  rpartition: (one, by) => (one.includes(by) ? parts(one, one.lastIndexOf(by), by.length) : ["", "", one]),
  replace: (one, from, to, most = Infinity) => {
    const all = one.split(from);
    if (all.length - 1 <= most) return all.join(to);
    return all.slice(0, most + 1).join(to) + from + all.slice(most + 1).join(from);
  },
  startswith: (one, heads) => starts(one, heads, (whole, head) => whole.startsWith(head)),
  endswith: (one, tails) => starts(one, tails, (whole, tail) => whole.endsWith(tail)),
  strip: (one, letters = null) => TEXTS.rstrip(TEXTS.lstrip(one, letters), letters),
  lstrip: (one, letters = null) => {
    let from = 0;
    while (from < one.length && (letters ?? " \n\t").includes(one[from])) from += 1;
    return one.slice(from);
  },
  rstrip: (one, letters = null) => {
    let to = one.length;
    while (to > 0 && (letters ?? " \n\t").includes(one[to - 1])) to -= 1;
    return one.slice(0, to);
  },
  lower: (one) => one.toLowerCase(),
  upper: (one) => one.toUpperCase(),
  capitalize: (one) => one.slice(0, 1).toUpperCase() + one.slice(1).toLowerCase(),
  title: (one) => one.replace(/[a-z]+/gi, (word) => word[0].toUpperCase() + word.slice(1).toLowerCase()),
  removeprefix: (one, head) => (one.startsWith(head) ? one.slice(head.length) : one),
  removesuffix: (one, tail) => (tail && one.endsWith(tail) ? one.slice(0, -tail.length) : one),
  isdigit: (one) => /^\d+$/.test(one),
  isupper: (one) => one !== one.toLowerCase() && one === one.toUpperCase(),
  count: (one, what) => one.split(what).length - 1,
  index: (one, what) => one.indexOf(what),
  zfill: (one, width) => one.padStart(width, "0"),
  ljust: (one, width) => one.padEnd(width),
  rjust: (one, width) => one.padStart(width),
  format: (one, ...given) => {
    let k = 0;
    return one.replace(/\{(\w*)\}/g, (_, name) => text(name ? given.at(-1).entries[name] : given[k++]));
  },
};
const LISTS = {
  append: (one, value) => { one.push(value); },
  extend: (one, values) => { one.push(...values); },
  insert: (one, at, value) => { one.splice(at, 0, value); },
  pop: (one, at = -1) => one.splice(placeOf(one, at), 1)[0],
  remove: (one, value) => { one.splice(LISTS.index(one, value), 1); },
  index: (one, value) => {
    const at = [...one].findIndex((other) => isSame(value, other));
    if (at < 0) throw new Error(`${text(value)} is not in the list`);
    return at;
  },
  count: (one, value) => [...one].filter((other) => isSame(value, other)).length,
  copy: (one) => [...one],
  reverse: (one) => { one.reverse(); },
  sort: (one, keywords) => { one.splice(0, one.length, ...sorted(one, keywords)); },
};
const VALUES = {
  ...LISTS,
  tolist: (one) => (isNested(one) ? [...one].map(VALUES.tolist) : [...one]),
  copy: (one) => array([...one]),
  sum: (one) => [...one].flat(Infinity).reduce((total, value) => total + Number(value), 0),
  any: (one) => [...one].flat(Infinity).some(Boolean),
  all: (one) => [...one].flat(Infinity).every(Boolean),
  max: (one) => Math.max(...[...one].flat(Infinity)),
  min: (one) => Math.min(...[...one].flat(Infinity)),
  argmax: (one) => one.indexOf(Math.max(...one)),
  astype: (one) => one,
  clip: (one, least) => Values.from(one, (value) => Math.max(least, value)),
  nonzero: (one) => [[...one.keys()].filter((k) => one[k])],
};

// -- modules of the standard library, as far as they are used

export const functools$partial = (called, ...given) => {
  const [placed, named] = parted(given);
  return (...more) => {
    const [last, keywords] = parted(more), every = { ...named, ...keywords };
    return Object.keys(every).length ? call(called, [...placed, ...last], every) : run(called, [...placed, ...last]);
  };
};
// Caches results by the identity of objects, and by the value of strings and numbers.
export const cached = (called) => {
  const root = {};
  const found = (...given) => {
    let level = root;
    for (const one of given) {
      const isObject = typeof one === "object" && one !== null;
      const inner = isObject ? level.weak ??= new WeakMap() : level.plain ??= new Map();
      if (!inner.has(one)) inner.set(one, {});
      level = inner.get(one);
    }
    if (!("made" in level)) level.made = called(...given);
    return level.made;
  };
  return Object.assign(found, { params: called.params });
};
export const itertools$pairwise = (values) => {
  const all = [...values];
  return all.slice(1).map((one, k) => [all[k], one]);
};
export const collections$Counter = (values = []) => {
  const made = new Dict();
  for (const one of values) made.set(one, made.get(one, 0) + 1);
  made.__getitem__ = (key) => made.get(key, 0);
  return made;
};
export const collections$deque = (values = []) => Object.assign([...values], { popleft() { return this.shift(); } });
export const types$MappingProxyType = (mapping) => mapping;
export const math$sqrt = Math.sqrt;
export const math$hypot = Math.hypot;
export const math$ceil = Math.ceil;
export const math$floor = Math.floor;
export const math$cos = Math.cos;
export const math$sin = Math.sin;
export const math$pi = Math.PI;
export const math$atan2 = Math.atan2;
export const math$degrees = (angle) => angle * (180 / Math.PI);
export const math$dist = (one, other) => Math.hypot(...[...one].map((value, k) => value - other[k]));
export const numpy$int64 = Number;
export const numpy$array = (values) => values;
export const html$escape = (value, quote = true) => {
  const isQuoted = quote instanceof Keywords ? quote.entries.quote : quote;
  const plain = value.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return isQuoted ? plain.replace(/"/g, "&quot;").replace(/'/g, "&#x27;") : plain;
};
export const html$unescape = (value) => value.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name) => (
  { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" }[name]
));
// JSON, used only to compare values for equality.
const plain = (value) => {
  if (value instanceof Dict) return Object.fromEntries(value.items().map(([key, one]) => [key, plain(one)]));
  return isList(value) ? [...value].map(plain) : value;
};
const kept = (value) => {
  if (Array.isArray(value)) return value.map(kept);
  if (typeof value !== "object" || value === null) return value;
  return new Dict(Object.entries(value).map(([key, one]) => [key, kept(one)]));
};
export const as_json = plain;
export const of_json = kept;
export const json$dumps = (value) => JSON.stringify(plain(value));
export const json$loads = (value) => kept(JSON.parse(value));

class Found {
  constructor(match) { this.match = match; this.string = match.input; }

  item(group) { return this.match[group] ?? null; }

  groups() { return this.match.slice(1).map((one) => one ?? null); }

  start() { return this.match.index; }

  end() { return this.match.index + this.match[0].length; }
}
class Pattern {
  constructor(pattern) { this.expression = new RegExp(pattern, "g"); }

  sub(change, value) {
    const changed = [...value.matchAll(this.expression)], made = [];
    let at = 0;
    for (const match of changed) {
      made.push(value.slice(at, match.index), typeof change === "string" ? change : run(change, [new Found(match)]));
      at = match.index + match[0].length;
    }
    return made.join("") + value.slice(at);
  }

  fullmatch(value) { return new RegExp(`^(?:${this.expression.source})$`).test(value) || null; }
}
export const re$compile = (pattern) => new Pattern(pattern);
export const re$escape = (value) => value.replace(/[.*+?^${}()|[\]\\#&\-~ ]/g, "\\$&");
export const re$fullmatch = (pattern, value) => new Pattern(pattern).fullmatch(value);

// Wraps text at a width, between words and, unless forbidden, after hyphens within words.
export const textwrap$wrap = (value, width, { entries: { break_on_hyphens: hyphens = true } = {} } = {}) => {
  const words = value.split(/\s+/).filter(Boolean), lines = [];
  let line = "";
  for (const word of words) {
    const pieces = hyphens ? word.split(/(?<=[a-z]{2}-)(?=[a-z]{2})/i) : [word];
    pieces.forEach((piece, k) => {
      const gap = k || !line ? "" : " ";
      if (line && (line + gap + piece).length > width) {
        lines.push(line);
        line = piece;
      } else line += gap + piece;
    });
  }
  return line ? [...lines, line] : lines;
};
// The parts of a Python format string: the text before a field, the field's name and its format.
const fieldsOf = (template) => {
  const found = [...template.matchAll(/([^{]*)(?:\{(\w*)(?::([^}]*))?\})?/g)].filter(([whole]) => whole);
  return found.map(([, before, name, spec]) => [before, name ?? null, name === undefined ? null : spec ?? "", null]);
};
export const string$Formatter = () => ({ parse: fieldsOf });
