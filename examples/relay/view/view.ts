import type { Task } from 'parley-a2a';
import { openPair } from '../pair-name.ts';
import type { Pairs } from '../pairs.ts';
import { html } from './html.ts';
import { page } from './page.ts';
import { pairEvents } from './pair-events.ts';
import { pairPage } from './pair-page.ts';

/** `/pairs/{id}` and `/pairs/{id}/events`. An id may be anything, so its slashes are written as %2F. */
const PAIR = /^\/pairs\/([^/]+)(\/events)?\/?$/;

export function isViewed({ url }: Request): boolean {
  const { pathname } = new URL(url);
  return pathname === '/' || pathname.startsWith('/pairs/');
}

/** The pages for people who watch. */
export class View {
  readonly #pairs: Pairs;
  readonly #latestTasks: () => Promise<readonly Task[]>;
  readonly #closing = new AbortController();

  constructor(pairs: Pairs, latestTasks: () => Promise<readonly Task[]>) {
    this.#pairs = pairs;
    this.#latestTasks = latestTasks;
  }

  async answer(request: Request): Promise<Response> {
    if (request.method !== 'GET') return plain(405, 'Only GET is possible here.', { allow: 'GET' });
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/') return this.#list();
    const [, id, events] = PAIR.exec(pathname) ?? [];
    const contextId = id === undefined ? undefined : decoded(id);
    if (contextId === undefined) return plain(404, 'There is no such page.');
    const { pair, release } = await this.#pairs.hold(openPair(contextId));
    if (events !== undefined) {
      const after = positionOf(request.headers.get('last-event-id') ?? searchParams.get('after'), pair.length);
      return pairEvents(pair, after, AbortSignal.any([request.signal, this.#closing.signal]), release);
    }
    release();
    return pairPage(pair);
  }

  /** Ends what is being watched; browsers come back by themselves. */
  close(): void {
    this.#closing.abort();
  }

  async #list(): Promise<Response> {
    const states = new Map<string, string[]>();
    for (const { contextId, status } of await this.#latestTasks()) {
      states.set(contextId, [...(states.get(contextId) ?? []), status.state]);
    }
    const items = [...states].map(
      ([id, both]) =>
        html`<li><a href="/pairs/${encodeURIComponent(id)}">${id}</a> <small>${both.toSorted().join(', ')}</small></li>`,
    );
    const none = html`<p>There is no pair yet. Send a message to the agent at <code>/a2a</code> to open one.</p>`;
    return page('Pairs', html`<main><h1>Pairs</h1>${items.length > 0 ? html`<ul>${items}</ul>` : none}</main>`);
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** How many messages the reader has. What is no number, or more than there are, is none. */
function positionOf(text: string | null, most: number): number {
  const position = text !== null && /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return position <= most ? position : 0;
}

function plain(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers } });
}
