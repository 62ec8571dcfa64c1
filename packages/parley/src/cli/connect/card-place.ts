import type { AgentCard } from '../../model/card.ts';
import { cleanLine } from '../text/clean.ts';

/** Remembers where the card was found, and tells when it is not that of the address which the user gave. */
export class CardPlace {
  #found: string | undefined;

  /** Requests as `send` makes them, watched for the card. */
  watching(send: typeof fetch): typeof fetch {
    return async (input, init) => {
      const response = await send(input, init);
      const isRead = (init?.method ?? 'GET') === 'GET';
      if (isRead && response.ok) this.#found = input instanceof Request ? input.url : String(input);
      return response;
    };
  }

  /**
   * One sentence where nothing is at the given address and the card of the host is used in its place; undefined where the
   * address has a card of its own, or the card names the address.
   */
  noteFor(address: string, card: AgentCard | undefined, program: string): string | undefined {
    const { origin, host, pathname } = new URL(address);
    const given = withoutSlash(pathname);
    if (given === '' || !this.#found?.startsWith(`${origin}/.`) || given.includes('/.well-known/')) return undefined;
    const paths = card?.interfaces.flatMap(({ url }) => (URL.canParse(url) ? withoutSlash(new URL(url).pathname) : []));
    if (!card || !paths || paths.some((path) => path === given || path.startsWith(`${given}/`))) return undefined;
    return (
      `There is no agent at ${address}: the default agent of ${origin} is used, ${cleanLine(card.name)}. ` +
      `Write ${host} if you mean that one; ${program} agents ${host} lists the others.`
    );
  }
}

function withoutSlash(path: string): string {
  return path.replace(/(?<!\/)\/+$/, '');
}
