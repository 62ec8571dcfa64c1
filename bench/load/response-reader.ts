const LINE_END = '\r\n';
const HEAD_END = '\r\n\r\n';

type Place = 'head' | 'size' | 'chunk' | 'fixed';

/** Takes one HTTP/1.1 response apart, however it was cut, and hands on the bytes of its body. */
export class ResponseReader {
  readonly #onBody: (bytes: Buffer) => void;
  #place: Place = 'head';
  #rest: Buffer = Buffer.alloc(0);
  /** Bytes that the body, or the chunk with its line end, still lacks. */
  #missing = 0;

  constructor(onBody: (bytes: Buffer) => void) {
    this.#onBody = onBody;
  }

  /** The server has no time for the request, and says when to come back. */
  isShed = false;

  /** True once the response is complete. */
  read(received: Buffer): boolean {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, received]) : received;
    this.#rest = EMPTY;
    for (;;) {
      if (this.#place === 'fixed') {
        this.#onBody(bytes);
        this.#missing -= bytes.length;
        return this.#missing <= 0;
      }
      if (this.#place === 'chunk') {
        const taken = Math.min(this.#missing, bytes.length);
        const content = Math.min(taken, this.#missing - LINE_END.length);
        if (content > 0) this.#onBody(bytes.subarray(0, content));
        this.#missing -= taken;
        bytes = bytes.subarray(taken);
        if (this.#missing > 0) return false;
        this.#place = 'size';
        continue;
      }
      const end = bytes.indexOf(this.#place === 'head' ? HEAD_END : LINE_END, 0, 'latin1');
      if (end < 0) {
        this.#rest = bytes;
        return false;
      }
      if (this.#place === 'head') {
        this.#readHead(bytes.toString('latin1', 0, end).toLowerCase());
        bytes = bytes.subarray(end + HEAD_END.length);
        continue;
      }
      const size = Number.parseInt(bytes.toString('latin1', 0, end), 16);
      if (size === 0) return true;
      this.#missing = size + LINE_END.length;
      this.#place = 'chunk';
      bytes = bytes.subarray(end + LINE_END.length);
    }
  }

  #readHead(head: string): void {
    this.isShed = head.startsWith('http/1.1 503') && head.includes('\r\nretry-after:');
    if (!this.isShed && !head.startsWith('http/1.1 200'))
      throw new Error(`The server answered ${head.slice(0, head.indexOf('\r'))}`);
    const length = /\r\ncontent-length: *(\d+)/.exec(head);
    this.#missing = Number(length?.[1] ?? 0);
    this.#place = length ? 'fixed' : 'size';
  }
}

const EMPTY = Buffer.alloc(0);
