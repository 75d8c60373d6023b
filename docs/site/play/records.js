// State records in numpy's layout: bytes, with fields by name.

import { array, Instance } from "./python.js";

const READERS = {
  b1: (view, at) => view.getInt8(at),
  i1: (view, at) => view.getInt8(at),
  u1: (view, at) => view.getUint8(at),
  i2: (view, at) => view.getInt16(at, true),
  u2: (view, at) => view.getUint16(at, true),
  i4: (view, at) => view.getInt32(at, true),
  i8: (view, at) => Number(view.getBigInt64(at, true)),
  u8: (view, at) => Number(view.getBigUint64(at, true)),
};
const sizeOf = (kind) => Number(kind[1]);

const shaped = (view, kind, at, [count, ...inner]) => {
  if (count === undefined) return READERS[kind](view, at);
  const size = inner.reduce((product, one) => product * one, sizeOf(kind));
  return Array.from({ length: count }, (_, k) => shaped(view, kind, at + k * size, inner));
};

// Makes a class of records from a layout: the offset, type and shape of each field.
export const recordOf = (layout) => {
  class Record extends Instance {
    constructor(states) {
      super();
      const { bytes } = this.states = states;
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
  }
  for (const [name, [offset, kind, shape]] of Object.entries(layout)) {
    const get = function get() { return array(shaped(this.view, kind, offset, shape)); };
    Object.defineProperty(Record.prototype, name, { get });
  }
  return Record;
};

// An array of one record.
export class States {
  constructor(rules, bytes) { Object.assign(this, { rules, bytes }); }

  copy() { return new States(this.rules, this.bytes.slice()); }

  item(key) { return typeof key === "string" ? [this.item(0)[key]] : new this.rules.Record(this); }

  slice_of() { return this; }

  // Sets every element of a field to one number.
  set_item(field, value) {
    const [offset, kind] = this.rules.about.layout[field];
    if (sizeOf(kind) !== 1) throw new Error(`${field} is not one byte`);
    this.bytes[offset] = value;
  }
}
