import { A2AServer, defineAgent } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { restStatusOf } from '../../src/bindings/rest/errors.ts';
import { ERROR_KINDS } from '../../src/dialects/jaf/errors.ts';
import { CLIENT_ERROR_CODES, GENERAL_ERROR_CODES, PROTOCOL_ERROR_CODES } from '../../src/model/errors/errors.ts';
import { INPUT_ERROR_CODES } from '../../src/model/errors/input-error.ts';
import { JSONRPC_CODES } from '../../src/model/errors/jsonrpc-codes.ts';
import { PUSH_ERROR_CODES, PushError } from '../../src/push/verify/push-error.ts';
import { OUTBOUND_ERROR_CODES } from '../../src/server/outbound/outbound-error.ts';
import { STORE_ERROR_CODES } from '../../src/stores/store-error.ts';
import { tableOf } from './support/tables.ts';

const PAGE = 'docs/protocol/errors.md';
const SENT = [...PROTOCOL_ERROR_CODES, ...GENERAL_ERROR_CODES];

describe('the page of errors', () => {
  it.each([
    ['| error |', SENT],
    ['| error of the client ', CLIENT_ERROR_CODES],
    ['| on the wire ', SENT],
    ['| error of a question ', INPUT_ERROR_CODES],
    ['| error of a store ', STORE_ERROR_CODES],
    ['| error of a receiver ', PUSH_ERROR_CODES],
    ['| error of an outgoing request ', OUTBOUND_ERROR_CODES],
  ])('has every error in the table %s', (heading, codes) => {
    expect(tableOf(PAGE, heading).flatMap(({ names }) => names)).toEqual([...codes]);
  });

  it('has the numbers and names that are sent', () => {
    const stated = tableOf(PAGE, '| on the wire ').map(({ cells }) => cells);
    expect(stated).toEqual(
      SENT.map((code) => {
        const { http, grpc } = restStatusOf(code, '1.0.1');
        const jaf = ERROR_KINDS[code];
        return [`\`${code}\``, String(JSONRPC_CODES[code]), `${http} ${grpc}`, `${jaf.code} ${jaf.type}`];
      }),
    );
  });

  it('has the statuses that a receiver responds with', () => {
    const stated = tableOf(PAGE, '| error of a receiver ').map(({ cells }) => cells[1]);
    expect(stated).toEqual(PUSH_ERROR_CODES.map((code) => String(new PushError(code, '').status)));
  });

  it('shows responses as they are sent', async () => {
    const agent = defineAgent({ name: 'a', description: 'a', version: '1.0.0', run: () => 'done' });
    const server = await new A2AServer({ agents: [agent] }).listen({ port: 0 });
    const [inOne, , inOlder] = tableOf(PAGE, '| | response ').map(({ cells }) => cells[1] ?? '');
    const ask = async (method: string, headers: Readonly<Record<string, string>>) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { id: 'x' } });
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
      return (await fetch(`${server.url}/a2a`, init)).json();
    };
    try {
      expect(JSON.parse(inOne?.slice(1, -1) ?? '')).toEqual(await ask('GetTask', { 'a2a-version': '1.0' }));
      expect(JSON.parse(inOlder?.slice(1, -1) ?? '')).toEqual(await ask('tasks/get', {}));
    } finally {
      await server.close();
    }
  });
});
