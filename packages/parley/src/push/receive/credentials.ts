import { ownBytes, sha256 } from '../../model/basics/bytes.ts';
import { TOKEN_HEADERS } from '../signature/headers.ts';
import { PushError } from '../verify/push-error.ts';
import { headerOf, type ReceivedHeaders } from '../verify/received-request.ts';
import type { PushReceiverOptions } from './options.ts';

/** Refuses requests without the token or the `Authorization` that was agreed on. */
export class AgreedCredentials {
  readonly #tokens: readonly string[] | undefined;
  readonly #authorizations: readonly string[] | undefined;

  constructor({ token, authorization }: Pick<PushReceiverOptions, 'token' | 'authorization'>) {
    this.#tokens = readTexts(token, 'token');
    this.#authorizations = readTexts(authorization, 'authorization');
  }

  /** True if there are any to check. */
  get areGiven(): boolean {
    return this.#tokens !== undefined || this.#authorizations !== undefined;
  }

  async check(headers: ReceivedHeaders): Promise<void> {
    if (this.#tokens) {
      const given = TOKEN_HEADERS.map((name) => headerOf(headers, name)).find((value) => value !== undefined);
      if (!(await isOneOf(this.#tokens, given))) {
        throw new PushError('WRONG_TOKEN', `${TOKEN_HEADERS[0]} is missing or wrong`);
      }
    }
    if (this.#authorizations && !(await isOneOf(this.#authorizations, headerOf(headers, 'authorization')))) {
      throw new PushError('WRONG_CREDENTIALS', 'authorization is missing or wrong');
    }
  }
}

function readTexts(given: string | readonly string[] | undefined, name: string): readonly string[] | undefined {
  if (given === undefined) return undefined;
  const texts = [given].flat();
  // An empty one is mostly a variable that is not set.
  if (texts.length === 0 || texts.some((text) => typeof text !== 'string' || text === '')) {
    throw new TypeError(`${name} must be a text that is not empty, or a list of them`);
  }
  return texts;
}

/** Compares digests, so that the time tells nothing of how much was right. */
async function isOneOf(texts: readonly string[], given: string | undefined): Promise<boolean> {
  const digest = await sha256(ownBytes(given ?? ''));
  let isFound = false;
  for (const text of texts) {
    const other = await sha256(ownBytes(text));
    let difference = 0;
    for (const [index, byte] of digest.entries()) difference |= byte ^ (other[index] ?? 0);
    if (difference === 0) isFound = given !== undefined;
  }
  return isFound;
}
