/** Makes unique ids. */
export type IdSource = () => string;

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const RANDOM_POOL_BYTES = 1600;
const RANDOM_BYTES_PER_ID = 10;

/**
 * A source of UUIDv7: 48 bits of time, then a 12-bit counter that starts anew each millisecond, so that ids of one
 * source sort in the order in which they were made.
 */
export function uuidv7Source(now: () => number = Date.now): IdSource {
  const pool = new Uint8Array(RANDOM_POOL_BYTES);
  let used = RANDOM_POOL_BYTES;
  let last = 0;
  let counter = 0;
  return () => {
    if (used + RANDOM_BYTES_PER_ID > RANDOM_POOL_BYTES) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    const time = now();
    if (time > last) {
      last = time;
      counter = byteAt(pool, used + 8);
    } else {
      counter += 1;
      if (counter > 0xfff) {
        last += 1;
        counter = 0;
      }
    }
    const high = last.toString(16).padStart(12, '0');
    const sequence = counter.toString(16).padStart(3, '0');
    let random = '';
    for (let index = 0; index < 8; index += 1) {
      const byte = byteAt(pool, used + index);
      random += HEX[index === 0 ? (byte & 0x3f) | 0x80 : byte];
      if (index === 1) random += '-';
    }
    used += RANDOM_BYTES_PER_ID;
    return `${high.slice(0, 8)}-${high.slice(8)}-7${sequence}-${random}`;
  };
}

function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}
