import { PushError } from '../verify/push-error.ts';
import type { BytesSeen } from '../verify/received-request.ts';

/** Bodies up to this size always have room. */
const SMALL = 64 * 1024;
/** Four notifications of the largest size, or hundreds of usual ones. */
const MOST = 64 * 1024 * 1024;

/** The bytes of one body. */
interface HeldBody {
  readonly seen: BytesSeen;
  /** Its bytes are gone. */
  readonly release: () => void;
}

/** Bounds the bytes of all bodies that are being read, or whose events wait to be handled. */
export class HeldBytes {
  readonly #most: number;
  #bytes = 0;

  constructor(most: number = MOST) {
    this.#most = most;
  }

  /** `seen` throws BUSY where there is no room; one body alone always has room. */
  begin(): HeldBody {
    let counted = 0;
    return {
      seen: (bytes) => {
        if (bytes <= SMALL) return;
        const others = this.#bytes - counted;
        if (others > 0 && others + bytes > this.#most) {
          throw new PushError('BUSY', 'Too many large notifications are being read; send it again later');
        }
        this.#bytes = others + bytes;
        counted = bytes;
      },
      release: () => {
        this.#bytes -= counted;
        counted = 0;
      },
    };
  }
}
