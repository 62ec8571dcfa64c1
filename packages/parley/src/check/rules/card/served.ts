import { cardRequest, WELL_KNOWN } from '../../probe/cards.ts';
import type { Server } from '../../probe/server.ts';
import type { Rule } from '../../rule.ts';
import { fail, inapplicable, skip } from '../../verdict.ts';
import { type Exchange, mediaTypeOf } from '../../wire/exchange.ts';
import { isObject, memberOf } from '../../wire/json.ts';

/** Fetches an address of the server without credentials. */
export async function fetchFrom(
  server: Server,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Exchange> {
  const request = cardRequest(url);
  return server.sender.exchange({ ...request, headers: { ...request.headers, ...headers } });
}

/** Two documents are cards of the same agent; some seeds have theirs in a list. */
function isSameAgent(one: unknown, other: unknown): boolean {
  const nameOf = (card: unknown) => memberOf(Array.isArray(card) ? card[0] : card, 'name');
  return nameOf(one) !== undefined && nameOf(one) === nameOf(other);
}

function bodyOf(exchange: Exchange): unknown {
  try {
    return JSON.parse(exchange.got?.text ?? '');
  } catch {
    return undefined;
  }
}

const hasModern = (card: unknown) => memberOf(card, 'supportedInterfaces') !== undefined;
const hasOld = (card: unknown) =>
  memberOf(card, 'url') !== undefined && memberOf(card, 'protocolVersion') !== undefined;

export const SERVED_CARD: readonly Rule[] = [
  {
    id: 'card.well-known',
    async server(server) {
      const { plain } = server.cards;
      if (!new URL(server.cardUrl).pathname.endsWith(WELL_KNOWN))
        skip('the card was found at another address than the well-known one');
      if (plain.exchange.got?.status !== 200) fail('the card is not answered with 200', plain.exchange);
      if (mediaTypeOf(plain.exchange) !== 'application/json') fail('the card is not application/json', plain.exchange);
    },
  },
  {
    id: 'card.cache-control',
    server({ cards: { plain } }) {
      const value = plain.exchange.got?.headers['cache-control'] ?? '';
      if (!/\bmax-age=\d+/i.test(value)) fail('there is no Cache-Control with max-age', plain.exchange);
    },
  },
  {
    id: 'card.etag',
    server({ cards: { plain } }) {
      const value = plain.exchange.got?.headers.etag;
      if (value === undefined) fail('there is no ETag', plain.exchange);
      if (!/^(?:W\/)?"[^"]*"$/.test(value)) fail(`the ETag ${value} is not quoted`, plain.exchange);
    },
  },
  {
    id: 'card.not-modified',
    async server(server) {
      const etag = server.cards.plain.exchange.got?.headers.etag;
      if (etag === undefined) skip('the card has no ETag');
      const again = await fetchFrom(server, server.cardUrl, { 'if-none-match': etag });
      if (again.got?.status !== 304) fail('If-None-Match with the current ETag is not answered with 304', again);
      if (again.got.text !== '') fail('the 304 has a body', again);
    },
  },
  {
    id: 'card.negotiate',
    server({ cards }) {
      const { exchange, card } = cards['1.0'];
      if (!hasModern(card) || hasOld(card)) fail('A2A-Version: 1.0 does not give the pure 1.0 card', exchange);
      const old = cards['0.3'];
      if (!hasOld(old.card) || hasModern(old.card))
        fail('A2A-Version: 0.3 does not give the pure 0.3 card', old.exchange);
    },
  },
  {
    id: 'card.default-shape',
    server({ cards: { plain } }) {
      if (!hasModern(plain.card) && !hasOld(plain.card))
        fail('the card has the members of neither version', plain.exchange);
    },
  },
  {
    id: 'card.merged-members',
    server({ cards: { plain } }) {
      const { card, exchange } = plain;
      if (!hasModern(card) || !hasOld(card)) inapplicable('the card without a version is not the merged one');
      const versions = (memberOf(card, 'supportedInterfaces') as readonly unknown[]).map((entry) =>
        memberOf(entry, 'protocolVersion'),
      );
      const firstOld = versions.findIndex((version) => version !== '1.0');
      const isOrdered = firstOld < 0 || versions.slice(firstOld).every((version) => version !== '1.0');
      if (!isOrdered) fail('the 1.0 interfaces do not come first', exchange);
      const missing = [
        'preferredTransport',
        'capabilities',
        'defaultInputModes',
        'defaultOutputModes',
        'skills',
      ].filter((name) => memberOf(card, name) === undefined);
      if (missing.length > 0) fail(`the merged card has no ${missing.join(', ')}`, exchange);
    },
  },
  {
    id: 'card.merged-schemes',
    server({ cards: { plain } }) {
      const { card, exchange } = plain;
      if (!hasModern(card) || !hasOld(card)) inapplicable('the card without a version is not the merged one');
      const schemes = Object.entries(
        isObject(memberOf(card, 'securitySchemes')) ? (memberOf(card, 'securitySchemes') as object) : {},
      );
      if (schemes.length === 0) inapplicable('the card has no security schemes');
      for (const [name, scheme] of schemes) {
        const isModern = Object.keys(scheme as object).some((member) => member.endsWith('SecurityScheme'));
        if (memberOf(scheme, 'type') === undefined || !isModern)
          fail(`the scheme ${name} does not carry both forms`, exchange);
        const flows = memberOf(scheme, 'flows');
        if (isObject(flows) && Object.keys(flows).length !== 1)
          fail(`the scheme ${name} has not exactly one flow`, exchange);
      }
    },
  },
  {
    id: 'card.merged-unsigned',
    server({ cards: { plain } }) {
      const { card, exchange } = plain;
      if (memberOf(card, 'signatures') === undefined) return;
      if (hasOld(card)) fail('the merged card has signatures', exchange);
    },
  },
  {
    id: 'card.vary',
    server({ cards }) {
      const { plain, '1.0': modern, '0.3': old } = cards;
      for (const { exchange } of [plain, modern, old]) {
        const vary = exchange.got?.headers.vary ?? '';
        if (!/\ba2a-version\b/i.test(vary)) fail('there is no Vary: A2A-Version', exchange);
      }
      const tagOf = ({ exchange }: typeof plain) => exchange.got?.headers.etag;
      if (tagOf(modern) === tagOf(old)) fail('two shapes have the same ETag', modern.exchange, old.exchange);
    },
  },
  {
    id: 'card.per-agent',
    async server(server) {
      const { origin } = new URL(server.cardUrl);
      const name = encodeURIComponent(String(memberOf(server.card, 'name')));
      const exchange = await fetchFrom(server, `${origin}/a2a/agents/${name}${WELL_KNOWN}`, { 'a2a-version': '1.0' });
      if (exchange.got?.status !== 200) fail('the agent has no card below its own address', exchange);
      if (!isSameAgent(bodyOf(exchange), server.card)) fail('the card below /a2a/agents is of another agent', exchange);
    },
  },
  {
    id: 'card.seed-paths',
    async server(server) {
      const { origin } = new URL(server.cardUrl);
      const root = await fetchFrom(server, `${origin}${WELL_KNOWN}`);
      for (const path of ['/.well-known/agent-card', '/.well-known/agent.json']) {
        const exchange = await fetchFrom(server, `${origin}${path}`);
        if (exchange.got?.status !== 200) fail(`${path} does not respond with the card`, exchange);
        if (!isSameAgent(bodyOf(exchange), bodyOf(root))) fail(`${path} has another card`, exchange, root);
      }
    },
  },
];
