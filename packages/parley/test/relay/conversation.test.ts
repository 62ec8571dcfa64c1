import { describe, expect, it } from 'vitest';
import { participant } from './support/participant.ts';
import { startRelay } from './support/relay.ts';
import { expectedTalk, talk } from './support/talk.ts';

const TURNS = 20;

const sides = [
  ['1.0 JSONRPC stream', '0.3 HTTP+JSON blocking'],
  ['0.3 JSONRPC blocking', '1.0 HTTP+JSON poll'],
  ['1.0 HTTP+JSON blocking', '0.3 JSONRPC stream'],
] as const;

async function side(url: string, context: string, form: string) {
  const [version, binding, manner] = form.split(' ') as ['1.0', 'JSONRPC', 'stream'];
  return participant(url, context, manner, { prefer: { version, binding } });
}

describe('the relay [seed:S4.7]', () => {
  it.each(sides)('mirrors twenty turns between %s and %s, with every kind of part as it was', async (one, other) => {
    const { url } = await startRelay();
    const a = await side(url, 'pair', one);
    const b = await side(url, 'pair', other);
    expect(await talk(`${url}/pairs/pair`, a, b, TURNS)).toEqual(expectedTalk(TURNS));
  });
});
