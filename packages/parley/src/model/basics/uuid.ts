/** Makes unique ids. */
export type IdSource = () => string;

const HEX_CODES: Uint8Array = new TextEncoder().encode('0123456789abcdef');
const DASH = 0x2d;
const RANDOM_POOL_BYTES = 1600;
const RANDOM_BYTES_PER_ID = 10;

/**
 * A source of UUIDv7: 48 bits of time, then a 12-bit counter that restarts each millisecond, so that ids of one
 * source sort in the order in which they were made.
 */
export function uuidv7Source(now: () => number = Date.now): IdSource {
  const pool = new Uint8Array(RANDOM_POOL_BYTES);
  let used = RANDOM_POOL_BYTES;
  let last = 0;
  let counter = 0;
  /** The beginning of all ids of a millisecond. */
  let beginning = '';
  const setTime = (time: number): void => {
    last = time;
    const high = time.toString(16).padStart(12, '0');
    beginning = `${high.slice(0, 8)}-${high.slice(8)}-7`;
  };
  return () => {
    if (used + RANDOM_BYTES_PER_ID > RANDOM_POOL_BYTES) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    const time = now();
    if (time > last) {
      setTime(time);
      counter = byteAt(pool, used + 8);
    } else {
      counter += 1;
      if (counter > 0xfff) {
        setTime(last + 1);
        counter = 0;
      }
    }
    const id = beginning + ending(counter, pool, used);
    used += RANDOM_BYTES_PER_ID;
    return id;
  };
}

/** The counter and eight random bytes, made in one piece: ids are made for every task, message and artifact. */
function ending(counter: number, pool: Uint8Array, from: number): string {
  const variant = (byteAt(pool, from) & 0x3f) | 0x80;
  const [b, c, d] = [byteAt(pool, from + 1), byteAt(pool, from + 2), byteAt(pool, from + 3)];
  const [e, f, g, h] = [byteAt(pool, from + 4), byteAt(pool, from + 5), byteAt(pool, from + 6), byteAt(pool, from + 7)];
  return String.fromCharCode(
    hex(counter >> 8),
    hex(counter >> 4),
    hex(counter),
    DASH,
    hex(variant >> 4),
    hex(variant),
    hex(b >> 4),
    hex(b),
    DASH,
    hex(c >> 4),
    hex(c),
    hex(d >> 4),
    hex(d),
    hex(e >> 4),
    hex(e),
    hex(f >> 4),
    hex(f),
    hex(g >> 4),
    hex(g),
    hex(h >> 4),
    hex(h),
  );
}

/** The character code of the last hexadecimal digit. */
function hex(value: number): number {
  return HEX_CODES[value & 0xf] ?? 0;
}

function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}
