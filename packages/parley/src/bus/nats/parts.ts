/** The most bytes of all texts that are not complete yet; those that began first go first. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Room for the line in front of each part. */
const HEAD_BYTES = 32;
const HEAD = /^(\d{1,6}) (\d{1,6})$/;
const LINE_FEED = 0x0a;

/** Cuts a text into messages of at most `maxPayload` bytes. */
export function partsOf(text: string, maxPayload: number): readonly Buffer[] {
  const bytes = Buffer.from(text);
  const size = maxPayload - HEAD_BYTES;
  const count = Math.max(1, Math.ceil(bytes.length / size));
  return Array.from({ length: count }, (_, index) =>
    Buffer.concat([Buffer.from(`${index} ${count}\n`), bytes.subarray(index * size, (index + 1) * size)]),
  );
}

interface Incomplete {
  readonly parts: (Buffer | undefined)[];
  missing: number;
  bytes: number;
}

/** Puts texts together again. */
export class Assembler {
  readonly #incomplete = new Map<string, Incomplete>();
  #bytes = 0;

  /** Returns the text once its last part is there. What is no part is passed over. */
  add(id: string, message: Uint8Array): string | undefined {
    const part = readPart(message);
    if (!part) return undefined;
    const { index, count, body } = part;
    if (count === 1) return body.toString();
    const found = this.#incomplete.get(id) ?? { parts: Array(count).fill(undefined), missing: count, bytes: 0 };
    if (found.parts.length !== count || found.parts[index]) return undefined;
    this.#incomplete.set(id, found);
    found.parts[index] = body;
    found.missing -= 1;
    found.bytes += body.length;
    this.#bytes += body.length;
    if (found.missing > 0) {
      this.#makeRoom();
      return undefined;
    }
    this.#remove(id, found);
    return Buffer.concat(found.parts as Buffer[]).toString();
  }

  #makeRoom(): void {
    for (const [id, found] of this.#incomplete) {
      if (this.#bytes <= MOST_BYTES) return;
      this.#remove(id, found);
    }
  }

  #remove(id: string, { bytes }: Incomplete): void {
    this.#incomplete.delete(id);
    this.#bytes -= bytes;
  }
}

function readPart(message: Uint8Array): { index: number; count: number; body: Buffer } | undefined {
  // The client reuses nothing of what it hands out, so the body need not be copied.
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const end = bytes.subarray(0, HEAD_BYTES).indexOf(LINE_FEED);
  const [, index, count] = HEAD.exec(bytes.toString('latin1', 0, Math.max(0, end))) ?? [];
  if (index === undefined || Number(index) >= Number(count)) return undefined;
  return { index: Number(index), count: Number(count), body: bytes.subarray(end + 1) };
}
