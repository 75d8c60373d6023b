// The random stream of a seed from 0 to 2 ** 32 - 1, equal to numpy's SeedSequence(seed).generate_state(4).

const PLACES = [0, 1, 2, 3];

export const streamOf = (seed) => {
  let constant = 0x43b0d7e5;
  const hashed = (value, factor) => {
    let mixed = value ^ constant;
    constant = Math.imul(constant, factor);
    mixed = Math.imul(mixed, constant);
    return mixed ^ (mixed >>> 16);
  };
  const pool = [seed, 0, 0, 0].map((word) => hashed(word, 0x931e8875));
  for (const from of PLACES) {
    for (const to of PLACES.filter((other) => other !== from)) {
      const mixed = Math.imul(0xca01f9dd, pool[to]) - Math.imul(0x4973f715, hashed(pool[from], 0x931e8875));
      pool[to] = mixed ^ (mixed >>> 16);
    }
  }
  constant = 0x8b51f9dd;
  return pool.map((word) => BigInt(hashed(word, 0x58f38ded) >>> 0));
};
