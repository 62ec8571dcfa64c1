import { isA2AError } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { type HostileEntry, MEBIBYTE, read } from './corpus/entry.ts';
import { FLOODS } from './corpus/floods.ts';
import { LIES } from './corpus/lies.ts';
import { TRANSPORT } from './corpus/transport.ts';
import { clientFor, hostileServer } from './hostile-server.ts';

const LONGEST_MESSAGE = 1_100;

describe.each([
  ['too much', FLOODS],
  ['what cannot be', LIES],
  ['HTTP that is none', TRANSPORT],
] as const)('a server that sends %s', (_, entries: readonly HostileEntry[]) => {
  it.for(entries)('$name', async (entry) => {
    const { attack = () => {}, card, serveCard, call = read, options, fails, cause, gives } = entry;
    const server = await hostileServer(attack, card, serveCard);
    const outcome = await call(clientFor(server, options)).then(
      (value: unknown) => ({ value }),
      (error: unknown) => ({ error }),
    );
    const error = 'error' in outcome ? outcome.error : undefined;
    if (error !== undefined && !isA2AError(error)) throw error;
    expect(error?.code ?? 'no error').toBeOneOf([...(fails ?? ['no error'])]);
    if (cause !== undefined) expect(error?.cause).toMatchObject({ code: cause });
    if (gives !== undefined) expect('value' in outcome && { value: outcome.value }).toMatchObject({ value: gives });
    expect(error?.message.length ?? 0).toBeLessThan(LONGEST_MESSAGE);
    expect(server.written()).toBeLessThan(entry.mostBytes ?? 8 * MEBIBYTE);
    expect(server.requests()).toBeLessThanOrEqual(entry.mostRequests);
  });
});
