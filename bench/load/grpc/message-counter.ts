/** The flag and the length before each message. */
const HEAD = 5;

/** Counts the messages of a call in bytes that may be cut anywhere. */
export class MessageCounter {
  messages = 0;
  bytes = 0;
  /** What the message still lacks that has begun. */
  #missing = 0;
  #head: Buffer = Buffer.alloc(0);
  readonly #onMessage: ((message: Buffer) => void) | undefined;

  /** `onMessage` is told of messages that came in one piece. */
  constructor(onMessage?: (message: Buffer) => void) {
    this.#onMessage = onMessage;
  }

  readonly add = (received: Buffer): void => {
    this.bytes += received.length;
    let at = 0;
    let bytes = received;
    if (this.#missing > 0) at = this.#pass(bytes, 0);
    else if (this.#head.length > 0) bytes = Buffer.concat([this.#head, received]);
    this.#head = NOTHING;
    while (at < bytes.length) {
      if (bytes.length - at < HEAD) {
        this.#head = Buffer.from(bytes.subarray(at));
        return;
      }
      this.#missing = bytes.readUInt32BE(at + 1);
      at += HEAD;
      if (this.#onMessage && at + this.#missing <= bytes.length) {
        this.#onMessage(bytes.subarray(at, at + this.#missing));
      }
      at = this.#pass(bytes, at);
    }
  };

  #pass(bytes: Buffer, at: number): number {
    const taken = Math.min(this.#missing, bytes.length - at);
    this.#missing -= taken;
    if (this.#missing === 0) this.messages += 1;
    return at + taken;
  }
}

const NOTHING = Buffer.alloc(0);
