import type { FollowerChange } from '../../sql/follower-rows.ts';

interface Waiting {
  readonly change: FollowerChange;
  readonly resolve: (isMade: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Makes changes in one transaction; resolves with the kind of each, '' where no row was touched. */
type Write = (changes: readonly FollowerChange[]) => Promise<readonly string[]>;

/** The most changes of one transaction: commits of tasks wait for it. */
const MOST_TOGETHER = 500;

/**
 * Group commit of push configs and cursors: one batch is in flight, and the next one gathers meanwhile, in the order of the
 * calls. So a change that comes alone waits for nothing, and many at a time share the wait for the disk.
 */
export class GatheredChanges {
  readonly #write: Write;
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(write: Write) {
    this.#write = write;
  }

  make(change: FollowerChange): Promise<boolean> {
    const made = new Promise<boolean>((resolve, reject) => {
      this.#waiting.push({ change, resolve, reject });
    });
    if (!this.#isWriting) void this.#writeNext();
    return made;
  }

  /** Hands on what has gathered without waiting for what is in flight: nothing is taken afterwards. */
  flush(): void {
    while (this.#waiting.length > 0) void this.#writeBatch(this.#waiting.splice(0, MOST_TOGETHER));
  }

  async #writeNext(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) await this.#writeBatch(this.#waiting.splice(0, MOST_TOGETHER));
    this.#isWriting = false;
  }

  /** A batch that cannot be written is taken apart, so that a change fails for nothing but itself. */
  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const kinds = await this.#write(batch.map(({ change }) => change));
      for (const [index, { resolve }] of batch.entries()) resolve(kinds[index] !== '');
    } catch (error) {
      const [first, ...others] = batch;
      if (others.length === 0) first?.reject(error);
      else for (const one of batch) await this.#writeBatch([one]);
    }
  }
}
