import { expectError, resultOf } from '../../expectations.ts';
import type { Probe } from '../../probe/probe.ts';
import type { Rule } from '../../rule.ts';
import { eachOf, seenFrames } from '../../seen.ts';
import { fail } from '../../verdict.ts';
import { type Answer, readAnswer } from '../../wire/caller.ts';
import { type Exchange, mediaTypeOf } from '../../wire/exchange.ts';
import { isObject, memberOf } from '../../wire/json.ts';
import { METHODS } from '../../wire/operations.ts';
import { UNKNOWN_TASK } from '../tasks/get-and-cancel.ts';
import { seenErrors } from './errors.ts';

/** Posts a body as it stands. */
async function post(probe: Probe, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const usual = await probe.caller.outgoing('get', { taskId: UNKNOWN_TASK });
  return probe.caller.read({ ...usual, body, headers: { ...usual.headers, ...headers } }, { odd: true });
}

function request(probe: Probe, change: Readonly<Record<string, unknown>>): string {
  const method = METHODS[probe.version].get;
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { id: UNKNOWN_TASK }, ...change });
}

function* envelopes(probe: Probe): Generator<readonly [Readonly<Record<string, unknown>>, Exchange]> {
  for (const exchange of probe.caller.exchanges) {
    const { json } = readAnswer(exchange, 'jsonrpc');
    if (isObject(json) && memberOf(json, 'jsonrpc') !== undefined) yield [json, exchange];
  }
}

export const JSON_RPC: readonly Rule[] = [
  {
    id: 'jsonrpc.content-type',
    async check(probe) {
      const answer = await probe.call('get', { taskId: UNKNOWN_TASK });
      if (answer.exchange.got === undefined) fail(answer.exchange.trouble ?? 'no response');
      if (mediaTypeOf(answer.exchange) !== 'application/json')
        fail(`a reply is ${mediaTypeOf(answer.exchange) || 'of no type'}`, answer.exchange);
    },
  },
  {
    id: 'jsonrpc.methods',
    async check(probe) {
      expectError(await post(probe, request(probe, { method: 'Dance' })), 'METHOD_NOT_FOUND');
      const { id } = await probe.finished();
      resultOf(await probe.call('get', { taskId: id }));
    },
  },
  {
    id: 'jsonrpc.envelope',
    async check(probe) {
      for (const change of [{ jsonrpc: '1.0' }, { method: undefined }, { id: { a: 1 } }]) {
        expectError(await post(probe, request(probe, change)), 'INVALID_REQUEST');
      }
    },
  },
  {
    id: 'jsonrpc.parse',
    async check(probe) {
      const answer = await post(probe, '{"jsonrpc": "2.0", "id": 1, ');
      expectError(answer, 'PARSE');
      if (memberOf(answer.json, 'id') !== null) fail('the id is not null', answer.exchange);
    },
  },
  {
    id: 'jsonrpc.params',
    async check(probe) {
      expectError(await post(probe, request(probe, { params: [UNKNOWN_TASK] })), 'INVALID_PARAMS');
      expectError(await post(probe, request(probe, { params: { id: 5 } })), 'INVALID_PARAMS');
    },
  },
  {
    id: 'jsonrpc.id',
    async check(probe) {
      for (const rpcId of ['a-string', 4711]) {
        const answer = await probe.call('get', { taskId: UNKNOWN_TASK, rpcId });
        if (memberOf(answer.json, 'id') !== rpcId)
          fail(`the id ${JSON.stringify(rpcId)} is not repeated`, answer.exchange);
      }
    },
  },
  {
    id: 'jsonrpc.no-id',
    async check(probe) {
      const answer = await post(probe, request(probe, { id: undefined }));
      if (memberOf(answer.json, 'id') !== null)
        fail('a request without id is not answered with id null', answer.exchange);
    },
  },
  {
    id: 'jsonrpc.batch',
    async check(probe) {
      expectError(await post(probe, `[${request(probe, {})}]`), 'INVALID_REQUEST');
    },
  },
  {
    id: 'jsonrpc.result-or-error',
    observed(probe) {
      for (const [json, exchange] of eachOf(envelopes(probe), 'JSON-RPC response')) {
        const error = memberOf(json, 'error');
        if ((json.result === undefined) === (error === undefined || error === null))
          fail('a reply has not exactly one of result and error', exchange);
        const extra = Object.keys(isObject(error) ? error : {}).find(
          (name) => !['code', 'message', 'data'].includes(name),
        );
        if (extra !== undefined) fail(`an error has the member ${extra}`, exchange);
      }
    },
  },
  {
    id: 'jsonrpc.data-array',
    observed(probe) {
      const withData = [...seenErrors(probe)].filter(([{ body }]) => memberOf(body, 'data') !== undefined);
      for (const [{ body }, exchange] of eachOf(withData, 'error with data')) {
        if (!Array.isArray(memberOf(body, 'data'))) fail('error.data is no array', exchange);
      }
    },
  },
  {
    id: 'jsonrpc.http-status',
    observed(probe) {
      const failed = probe.caller.exchanges.filter(
        (exchange) => readAnswer(exchange, 'jsonrpc').error?.code !== undefined,
      );
      for (const exchange of eachOf(failed, 'JSON-RPC error')) {
        const { error } = readAnswer(exchange, 'jsonrpc');
        const status = exchange.got?.status ?? 0;
        const isUnparsable = error?.code === -32700 && status === 400;
        const isTransport = [401, 403, 404, 405, 413, 415, 429, 503].includes(status);
        if (status !== 200 && !isUnparsable && !isTransport) {
          fail(`a JSON-RPC error has the HTTP status ${status}`, exchange);
        }
      }
    },
  },
  {
    id: 'jsonrpc.wrong-type',
    async check(probe) {
      const { exchange, error } = await post(probe, 'no JSON', { 'content-type': 'text/plain' });
      const isRefused = exchange.got?.status === 415 || error?.code === -32005;
      if (!isRefused) fail('a body that is text/plain is neither refused with 415 nor with -32005', exchange);
    },
  },
  {
    id: 'jsonrpc.sse',
    observed(probe) {
      probe.needStreaming();
      for (const [{ json }, { exchange }] of eachOf(seenFrames(probe), 'event of a stream')) {
        const id = memberOf(parse(exchange.sent.body ?? ''), 'id');
        if (memberOf(json, 'jsonrpc') !== '2.0') fail('an event is no JSON-RPC response', exchange);
        if (memberOf(json, 'id') !== id) fail('an event has not the id of its request', exchange);
      }
    },
  },
  {
    id: 'jsonrpc.sse-error',
    observed(probe) {
      probe.needStreaming();
      const streams = probe.caller.streams.filter(({ frames }) => frames.length > 0);
      for (const stream of eachOf(streams, 'event of a stream')) {
        const named = stream.frames.find(({ event }) => event !== undefined && event !== 'message');
        if (named !== undefined) fail(`an event has the line event: ${named.event}`, stream.exchange);
        const early = stream.frames.findIndex(({ json }) => memberOf(json, 'error') !== undefined);
        if (early >= 0 && early < stream.frames.length - 1) fail('events come after an error', stream.exchange);
      }
    },
  },
];

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
