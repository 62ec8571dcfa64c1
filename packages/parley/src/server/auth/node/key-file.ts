import type { AuthTools } from '../authenticator.ts';
import { type CheckedKey, checkedKeys } from '../keys/key-record.ts';
import { KeyRing } from '../keys/key-ring.ts';
import { KEYS_FRESHNESS, type KeySource } from '../keys/key-source.ts';

/** A larger file is refused, in bytes. */
const LARGEST_FILE = 64 * 1024 * 1024;
const WRITABLE_BY_OTHERS = 0o022;
const FORM = 'it must be JSON of the form { "keys": […] }';

/** Keys in a file that may change at any time. A file that cannot be read leaves the keys as they were. */
export class KeyFile implements KeySource {
  readonly #path: string;
  #ring = new KeyRing([]);
  #version: string | undefined;
  #problem: string | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<KeyRing> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async open(tools: AuthTools): Promise<void> {
    await this.ringFor('', tools);
  }

  /** The keys at once where the file was looked at a moment ago. */
  ringFor(_text: string, tools: AuthTools): KeyRing | Promise<KeyRing> {
    const now = tools.now();
    if (now >= this.#lookedAt && now - this.#lookedAt < KEYS_FRESHNESS) return this.#ring;
    this.#looking ??= this.#look(tools).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look({ log, now }: AuthTools): Promise<KeyRing> {
    const file = this.#path;
    const lookedAt = now();
    try {
      const { stat } = await import('node:fs/promises');
      const { dev, ino, size, mtimeNs, ctimeNs, mode } = await stat(file, { bigint: true });
      const version = [dev, ino, size, mtimeNs, ctimeNs].join(':');
      if (version !== this.#version) {
        if (Number(mode) & WRITABLE_BY_OTHERS) log.warn('Others may write the file of API keys', { file });
        const content = await readKeyFile(file).catch(contentProblem);
        // A file with a mistake is read again when it has changed; one that could not be read, every time.
        this.#version = version;
        if (content instanceof Error) throw content;
        this.#ring = new KeyRing(content);
      }
      this.#problem = undefined;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      const isNews = problem !== this.#problem;
      if (isNews && this.#version === undefined && isMissing(error)) {
        log.warn('There is no file of API keys yet: nobody is let in until it has keys (parley keys create)', { file });
      } else if (isNews) {
        log.error('The file of API keys cannot be used; the keys stay as they were', { file, error });
      }
      this.#problem = problem;
    }
    this.#lookedAt = lookedAt;
    return this.#ring;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** The error where the content is wrong; throws it where there was none to be had. */
function contentProblem(error: unknown): Error {
  if (error instanceof SyntaxError || error instanceof TypeError) return error;
  throw error;
}

/** The keys of a file; throws with a sentence that names it where it is none. */
export async function readKeyFile(path: string): Promise<readonly CheckedKey[]> {
  const { readFile, stat } = await import('node:fs/promises');
  const { size } = await stat(path);
  if (size > LARGEST_FILE)
    throw new TypeError(`${path} is no file of API keys: it is larger than ${LARGEST_FILE} bytes`);
  try {
    return keysOf(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    // The words of JSON.parse repeat what the file has.
    if (error instanceof SyntaxError) throw new TypeError(`${path} is no file of API keys: ${FORM}`);
    if (error instanceof TypeError) throw new TypeError(`${path} is no file of API keys: ${error.message}`);
    throw error;
  }
}

function keysOf(document: unknown): readonly CheckedKey[] {
  if (typeof document !== 'object' || document === null || !('keys' in document)) throw new TypeError(FORM);
  return checkedKeys(document.keys);
}
