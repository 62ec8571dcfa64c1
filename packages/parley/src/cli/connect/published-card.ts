import { type FetchedCard, findCard } from '../../client/card/discovery.ts';
import { cardFaults } from '../../client/index.ts';

const LARGEST = 2 ** 20;

/** A card as it lies at its address. */
export interface PublishedCard {
  readonly url: string;
  readonly text: string;
}

/** A `fetch` that remembers the last document it got, so that a card can be shown as it was published. */
export function rememberingFetch(): { readonly fetch: typeof fetch; readonly last: () => PublishedCard | undefined } {
  let last: PublishedCard | undefined;
  return {
    last: () => last,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if ((init?.method ?? 'GET') !== 'GET' || !response.ok) return response;
      const text = await readSome(response);
      last = { url: input instanceof Request ? input.url : input.toString(), text };
      return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } });
    },
  };
}

/** A little more than the client takes, so that it says itself that it is too much. */
async function readSome({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > LARGEST) break;
  }
  return text + decoder.decode();
}

/** Reads a card that the client cannot use, for what can be said about it. */
export function readPublished({ url, text }: PublishedCard): Promise<FetchedCard> {
  return findCard([url], {
    fetch: async () => new Response(text),
    headers: {},
    signal: new AbortController().signal,
    cardBytes: LARGEST,
    now: Date.now,
    dialects: [],
    checkCard: cardFaults,
  });
}
