import { describe, expect, it, onTestFinished } from 'vitest';
import { NotOffered } from '../../../../interop/calling.ts';
import { unknownOperations } from '../../../../interop/known.ts';
import { type Column, renderMatrix } from '../../../../interop/matrix.ts';
import { ourClient, ourServer } from '../../../../interop/our-side.ts';
import { SCENARIOS } from '../../../../interop/scenarios/index.ts';

const ROWS = (['1.0', '0.3'] as const).flatMap((version) =>
  (['JSONRPC', 'HTTP+JSON'] as const).map((binding) => ({ version, binding })),
);

/** What `npm run interop` asks of other SDKs, our own two sides understand. */
describe.each(ROWS)('A2A $version over $binding', ({ version, binding }) => {
  it.each(SCENARIOS.map(({ name, run }) => [name, run] as const))('%s', async (_, run) => {
    const host = await ourServer();
    onTestFinished(() => host.close());
    const caller = await ourClient(host.url, version, binding);
    await run({ caller, host, version, role: 'client' }).catch((error: unknown) => {
      if (!(error instanceof NotOffered)) throw error;
    });
  });
});

it('the table of known differences names operations that there are', () => {
  expect(unknownOperations()).toEqual([]);
});

it('the matrix has a table for each role, and one note for each reason', () => {
  const results: Column['results'] = new Map([
    ['send', { kind: 'ok' }],
    ['list', { kind: 'not offered', reason: 'no list' }],
    ['get', { kind: 'known', reason: 'wrong' }],
    ['cancel', { kind: 'differs', reason: 'wrong' }],
  ]);
  const column: Column = { peer: 'P', role: 'client', version: '1.0', binding: 'JSONRPC', results };
  expect(renderMatrix([column, { ...column, role: 'server' }])).toBe(`### Their clients, our server

| | P<br>1.0 JSONRPC |
|---|---|
| send | ok |
| list | – (1) |
| get | differs (2) |
| cancel | DIFFERS (2) |

### Our client, their servers

| | P<br>1.0 JSONRPC |
|---|---|
| send | ok |
| list | – (1) |
| get | differs (2) |
| cancel | DIFFERS (2) |

1. no list
2. wrong`);
});
