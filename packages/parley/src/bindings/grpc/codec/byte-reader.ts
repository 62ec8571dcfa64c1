import { A2AError } from '../../../model/errors/errors.ts';

/** Keeps the byte order mark, which is a character of the text like any other. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Texts up to this length are read character by character, which is faster than a call of native code. */
const SHORT_TEXT = 24;

/** Wire types: a number, eight bytes, a length and so many bytes, the begin and the end of a group, four bytes. */
export const WIRE = { VARINT: 0, FIXED_64: 1, LENGTH: 2, GROUP: 3, GROUP_END: 4, FIXED_32: 5 } as const;

/** Bytes that are no message of Protocol Buffers. */
export function unreadable(why: string): A2AError {
  return new A2AError('PARSE_ERROR', `Invalid protobuf payload: ${why}`);
}

/** Reads the wire format of Protocol Buffers. Never reads beyond its bytes: what claims to be longer is refused. */
export class ByteReader {
  readonly #bytes: Buffer;
  /** The place of the next byte. */
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** Reads a number of up to 64 bits; beyond 2^53 it is not exact. */
  varint(end: number): number {
    const first = this.at < end ? (this.#bytes[this.at] as number) : 0x80;
    if (first < 0x80) {
      this.at += 1;
      return first;
    }
    let value = 0;
    let scale = 1;
    for (let count = 0; count < 10; count += 1) {
      if (this.at >= end) throw unreadable('a number breaks off');
      const byte = this.#bytes[this.at++] as number;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    throw unreadable('a number has more than ten bytes');
  }

  /** Reads a signed number of 64 bits, of which only the lower 32 count for an `int32`. */
  signed(end: number): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (this.at >= end) throw unreadable('a number breaks off');
      const byte = this.#bytes[this.at++] as number;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw unreadable('a number has more than ten bytes');
  }

  /** Reads an `int32`. */
  integer(end: number): number {
    const first = this.at < end ? (this.#bytes[this.at] as number) : 0x80;
    if (first < 0x80) {
      this.at += 1;
      return first;
    }
    return Number(BigInt.asIntN(32, this.signed(end)));
  }

  double(end: number): number {
    if (end - this.at < 8) throw unreadable('a number breaks off');
    const value = this.#bytes.readDoubleLE(this.at);
    this.at += 8;
    return value;
  }

  /** Reads a length and returns the place after its bytes. */
  endOfContent(end: number): number {
    const length = this.varint(end);
    if (length > end - this.at) throw unreadable('a field is longer than the message');
    return this.at + length;
  }

  /** @param name the field, for the error */
  text(end: number, name: string): string {
    const stop = this.endOfContent(end);
    const start = this.at;
    this.at = stop;
    if (stop - start <= SHORT_TEXT) {
      const short = this.#shortText(start, stop);
      if (short !== undefined) return short;
    }
    try {
      return UTF_8.decode(this.#bytes.subarray(start, stop));
    } catch {
      throw unreadable(`${name} is not valid UTF-8`);
    }
  }

  base64(end: number): string {
    const stop = this.endOfContent(end);
    const text = this.#bytes.toString('base64', this.at, stop);
    this.at = stop;
    return text;
  }

  /** Passes over a field that is not known. */
  skip(tag: number, end: number, depth: number): void {
    if (tag < 8) throw unreadable('a field has no number that there is');
    switch (tag & 7) {
      case WIRE.VARINT:
        this.varint(end);
        return;
      case WIRE.FIXED_64:
        this.#pass(8, end);
        return;
      case WIRE.LENGTH:
        this.at = this.endOfContent(end);
        return;
      case WIRE.GROUP:
        this.#skipGroup(tag, end, depth);
        return;
      case WIRE.FIXED_32:
        this.#pass(4, end);
        return;
      default:
        throw unreadable('a field has no type that there is');
    }
  }

  #skipGroup(open: number, end: number, depth: number): void {
    if (depth <= 0) throw unreadable('groups are nested too deep');
    for (;;) {
      const tag = this.varint(end);
      if ((tag & 7) === WIRE.GROUP_END) {
        if (tag >>> 3 !== open >>> 3) throw unreadable('a group ends that was not begun');
        return;
      }
      this.skip(tag, end, depth - 1);
    }
  }

  #pass(size: number, end: number): void {
    if (end - this.at < size) throw unreadable('a field breaks off');
    this.at += size;
  }

  /** Undefined for a text that is not ASCII. */
  #shortText(start: number, stop: number): string | undefined {
    let text = '';
    for (let at = start; at < stop; at += 1) {
      const code = this.#bytes[at] as number;
      if (code > 0x7f) return undefined;
      text += String.fromCharCode(code);
    }
    return text;
  }
}
