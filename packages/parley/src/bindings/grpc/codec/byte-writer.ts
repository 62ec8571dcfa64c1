const FIRST_SIZE = 64 * 1024;
/** Messages are written into the same buffer, one behind the other, until it has less room than this. */
const LEAST_ROOM = 4 * 1024;
/** A buffer that has grown beyond this is not kept for the next message. */
const KEPT_SIZE = 1024 * 1024;
/** Texts up to this length are written character by character, which is faster than a call of native code. */
const SHORT_TEXT = 40;

/** Writes the wire format of Protocol Buffers into a buffer that many messages share. */
export class ByteWriter {
  #buffer = Buffer.allocUnsafeSlow(FIRST_SIZE);
  /** The begin of what is being written; what is before it was handed out. */
  #start = 0;
  #at = 0;

  /** Returns a copy of what was written since `begin`, for those who keep it. */
  finish(): Uint8Array {
    const bytes = Buffer.allocUnsafeSlow(this.#at - this.#start);
    this.#buffer.copy(bytes, 0, this.#start, this.#at);
    if (this.#buffer.length > KEPT_SIZE) this.#renew();
    return bytes;
  }

  /** Returns what was written since `begin` without a copy: a caller that keeps it keeps all of its buffer. */
  take(): Uint8Array {
    const bytes = this.#buffer.subarray(this.#start, this.#at);
    this.#start = this.#at;
    if (this.#buffer.length - this.#start < LEAST_ROOM || this.#buffer.length > KEPT_SIZE) this.#renew();
    return bytes;
  }

  /** Starts a message; what a message that failed has left is forgotten. */
  begin(): void {
    this.#at = this.#start;
  }

  /** Writes the head of one gRPC message, whose length `closeFrame` fills in. Returns its place. */
  openFrame(flag: number): number {
    this.#reserve(5);
    this.#buffer[this.#at] = flag;
    this.#at += 5;
    return this.#at;
  }

  closeFrame(start: number): void {
    this.#buffer.writeUInt32BE(this.#at - start, start - 4);
  }

  varint(value: number): void {
    this.#reserve(10);
    let rest = value;
    while (rest > 0x7f) {
      this.#buffer[this.#at++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#buffer[this.#at++] = rest;
  }

  /** A negative number takes ten bytes, as if it were of 64 bits. */
  integer(value: number): void {
    if (value >= 0) {
      this.varint(value);
      return;
    }
    this.#reserve(10);
    let bits = BigInt.asUintN(64, BigInt(value));
    while (bits > 0x7fn) {
      this.#buffer[this.#at++] = Number(bits & 0x7fn) | 0x80;
      bits >>= 7n;
    }
    this.#buffer[this.#at++] = Number(bits);
  }

  double(value: number): void {
    this.#reserve(8);
    this.#at = this.#buffer.writeDoubleLE(value, this.#at);
  }

  text(value: string): void {
    const { length } = value;
    this.#reserve(length * 3 + 5);
    if (length <= SHORT_TEXT && this.#shortText(value)) return;
    const start = this.open();
    this.#at += this.#buffer.write(value, this.#at, 'utf8');
    this.close(start);
  }

  /** Bytes in base64, of any alphabet and with padding or without. */
  base64(value: string): void {
    const bytes = Buffer.from(value, 'base64');
    this.varint(bytes.length);
    this.#reserve(bytes.length);
    this.#at += bytes.copy(this.#buffer, this.#at);
  }

  /** Begins what has its length before it. Returns the place that `close` needs. */
  open(): number {
    this.#reserve(1);
    this.#at += 1;
    return this.#at;
  }

  /** Fills in the length. Most are short: where one byte is not enough, what was written moves on. */
  close(start: number): void {
    const length = this.#at - start;
    if (length <= 0x7f) {
      this.#buffer[start - 1] = length;
      return;
    }
    const extra = varintSize(length) - 1;
    this.#reserve(extra);
    this.#buffer.copyWithin(start + extra, start, this.#at);
    const end = this.#at + extra;
    this.#at = start - 1;
    this.varint(length);
    this.#at = end;
  }

  /** Writes a text of ASCII; false, with nothing written, for all others. */
  #shortText(value: string): boolean {
    const buffer = this.#buffer;
    const start = this.#at + 1;
    for (let index = 0; index < value.length; index += 1) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) return false;
      buffer[start + index] = code;
    }
    buffer[this.#at] = value.length;
    this.#at = start + value.length;
    return true;
  }

  #reserve(size: number): void {
    const needed = this.#at + size;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2));
    // Places stay the same: whoever has begun something knows where.
    this.#buffer.copy(larger, this.#start, this.#start, this.#at);
    this.#buffer = larger;
  }

  #renew(): void {
    this.#buffer = Buffer.allocUnsafeSlow(FIRST_SIZE);
    this.#start = 0;
    this.#at = 0;
  }
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 0x80)) size += 1;
  return size;
}
