import { expectError, resultOf } from '../../expectations.ts';
import type { Probe } from '../../probe/probe.ts';
import type { Rule } from '../../rule.ts';
import { eachOf, seenFrames } from '../../seen.ts';
import { fail, skip } from '../../verdict.ts';
import { type Answer, readAnswer } from '../../wire/caller.ts';
import { A2A_ERRORS, BAD_REQUEST, detailOf, isReason, reasonOf } from '../../wire/errors.ts';
import { mediaTypeOf, type Outgoing } from '../../wire/exchange.ts';
import { isObject, listAt, memberOf, numberAt, parseJson, textAt } from '../../wire/json.ts';
import { LiveStream } from '../../wire/live-stream.ts';
import { UNKNOWN_TASK } from '../tasks/get-and-cancel.ts';
import { seenErrors } from './errors.ts';

const PAYLOADS = ['task', 'message', 'statusUpdate', 'artifactUpdate'];

/** A request of the usual kind with something changed. */
async function altered(probe: Probe, change: (usual: Outgoing) => Outgoing, odd = true): Promise<Answer> {
  return probe.caller.read(change(await probe.caller.outgoing('get', { taskId: UNKNOWN_TASK })), { odd });
}

async function sendAs(probe: Probe, headers: Readonly<Record<string, string | undefined>>): Promise<Answer> {
  return probe.call('send', { params: probe.sendParams(await probe.promptFor('task')), headers });
}

export const REST: readonly Rule[] = [
  {
    id: 'rest.routes',
    async check(probe) {
      const sent = await probe.say(await probe.promptFor('task'));
      const { id } = probe.taskOf(sent);
      if (memberOf(sent.json, 'jsonrpc') !== undefined) fail('the body has an envelope', sent.exchange);
      const answers = [
        await probe.call('get', { taskId: id }),
        await probe.call('list'),
        await probe.call('cancel', { taskId: id }),
        await probe.call('listPush', { taskId: id }),
        await probe.call('extendedCard'),
      ];
      for (const { error, exchange, json } of answers) {
        const isRouted =
          error === undefined || isReason(reasonOf(error)) || error.status === 401 || error.status === 403;
        if (!isRouted)
          fail(`${exchange.sent.method} ${new URL(exchange.sent.url).pathname} does not respond`, exchange);
        if (memberOf(json, 'jsonrpc') !== undefined) fail('the body has an envelope', exchange);
      }
    },
  },
  {
    id: 'rest.query',
    async check(probe) {
      const { id, contextId } = await probe.finished();
      const bare = await probe.call('get', { taskId: id, params: { historyLength: 0 } });
      if (memberOf(resultOf(bare), 'history') !== undefined) fail('historyLength=0 is not read', bare.exchange);
      const listed = await probe.call('list', { params: { contextId, pageSize: 1, includeArtifacts: true } });
      const result = resultOf(listed);
      if (numberAt(result, 'pageSize') !== 1) fail('pageSize=1 is not read', listed.exchange);
      const foreign = (listAt(result, 'tasks') ?? []).some((task) => textAt(task, 'contextId') !== contextId);
      if (foreign) fail('contextId is not read', listed.exchange);
    },
  },
  {
    id: 'rest.query-bad',
    async check(probe) {
      const { error, exchange } = await probe.call('list', { params: { pageSize: 'many' }, odd: true });
      if (error?.status !== 400) fail('pageSize=many is not answered with 400', exchange);
      if (detailOf(error, BAD_REQUEST) === undefined) fail('the error names no field', exchange);
      resultOf(await probe.call('list', { params: { unknownParameter: 'x' } }));
    },
  },
  {
    id: 'rest.type-in',
    async check(probe) {
      for (const type of ['application/json; charset=utf-8', 'application/a2a+json'])
        resultOf(await sendAs(probe, { 'content-type': type }));
    },
  },
  {
    id: 'rest.type-out',
    async check(probe) {
      const { exchange } = await sendAs(probe, { accept: 'application/a2a+json' });
      if (mediaTypeOf(exchange) !== 'application/a2a+json') fail(`the reply is ${mediaTypeOf(exchange)}`, exchange);
    },
  },
  {
    id: 'rest.type-out-plain',
    async check(probe) {
      const unknown = await probe.call('get', { taskId: UNKNOWN_TASK, headers: { accept: '*/*' } });
      for (const { exchange } of [
        await sendAs(probe, { accept: '*/*' }),
        await sendAs(probe, { accept: undefined }),
        unknown,
      ]) {
        if (mediaTypeOf(exchange) !== 'application/json') fail(`the reply is ${mediaTypeOf(exchange)}`, exchange);
      }
    },
  },
  {
    id: 'rest.type-other',
    async check(probe) {
      const answer = await probe.call('send', {
        params: probe.sendParams({ text: 'Hello' }),
        headers: { 'content-type': 'text/plain' },
        odd: true,
      });
      if (answer.error?.status === 415 && !isReason(reasonOf(answer.error))) return;
      expectError(answer, 'CONTENT_TYPE_NOT_SUPPORTED');
    },
  },
  {
    id: 'rest.success',
    observed(probe) {
      // A resumed stream that has nothing more is a 204; that is another rule's.
      const succeeded = probe.caller.exchanges.filter(({ got, sent }) => {
        const isSuccess = got !== undefined && got.status >= 200 && got.status < 300;
        const isJson = isSuccess && (got.text === '' || parseJson(got.text) !== undefined);
        return isJson && !sent.url.endsWith(':subscribe');
      });
      for (const exchange of eachOf(succeeded, 'result')) {
        if (exchange.got?.status !== 200) fail(`success has the status ${exchange.got?.status}`, exchange);
      }
    },
  },
  {
    id: 'rest.error-body',
    observed(probe) {
      for (const [error, exchange] of eachOf(seenErrors(probe), 'error of the protocol')) {
        const body = error.body;
        if (!isObject(memberOf(readAnswer(exchange, 'rest').json, 'error')))
          fail('the error is not under the member error', exchange);
        if (numberAt(body, 'code') !== error.status) fail(`error.code is ${String(memberOf(body, 'code'))}`, exchange);
        const status = textAt(body, 'status');
        if (status === undefined || !/^[A-Z_]+$/.test(status))
          fail(`error.status is ${JSON.stringify(status)}`, exchange);
        const reason = reasonOf(error);
        if (isReason(reason) && status !== A2A_ERRORS[reason].grpc)
          fail(`error.status of ${reason} is ${status}`, exchange);
        const details = memberOf(body, 'details');
        if (details !== undefined && !Array.isArray(details)) fail('error.details is no array', exchange);
      }
    },
  },
  {
    id: 'rest.actions',
    async check(probe) {
      expectError(await probe.call('cancel', { taskId: UNKNOWN_TASK }), 'TASK_NOT_FOUND');
      const { id } = await probe.running();
      const answer = await probe.call('cancel', { taskId: id });
      if (probe.bareTaskOf(answer).id !== id) fail('the action is taken for a part of the id', answer.exchange);
      const odd = await probe.call('get', { taskId: 'no:such:task' });
      expectError(odd, 'TASK_NOT_FOUND');
    },
  },
  {
    id: 'rest.empty-body',
    async check(probe) {
      for (const body of [undefined, '', '{}', 'null']) {
        const { id } = await probe.running();
        const usual = await probe.caller.outgoing('cancel', { taskId: id });
        const answer = await probe.caller.read({ ...usual, body });
        if (answer.error !== undefined)
          fail(`cancel does not take the body ${JSON.stringify(body) ?? 'none'}`, answer.exchange);
      }
    },
  },
  {
    id: 'rest.unknown-route',
    async check(probe) {
      const missing = await altered(probe, (usual) => ({ ...usual, url: `${probe.url}/no/such/route/here` }));
      if (missing.error?.status !== 404) fail('an unknown route is not 404', missing.exchange);
      const wrong = await altered(probe, (usual) => ({ ...usual, method: 'PUT' }));
      if (wrong.error?.status !== 405) fail('a wrong verb is not 405', wrong.exchange);
      for (const { exchange, json } of [missing, wrong]) {
        if (!isObject(memberOf(json, 'error'))) fail('there is no error body', exchange);
      }
    },
  },
  {
    id: 'rest.slash',
    async check(probe) {
      const operation = probe.binding === 'rest' ? 'list' : 'get';
      if (probe.binding === 'rest' && probe.version === '0.3') return;
      const usual = await probe.caller.outgoing(operation, { taskId: UNKNOWN_TASK });
      const { exchange } = await probe.caller.read({ ...usual, url: `${usual.url}/` });
      const status = exchange.got?.status ?? 0;
      if (status !== 200) fail(`with a slash at the end the status is ${status}`, exchange);
    },
  },
  {
    id: 'rest.sse',
    observed(probe) {
      probe.needStreaming();
      const events = [...seenFrames(probe)].filter(([{ event }]) => event !== 'error');
      for (const [{ json }, { exchange }] of eachOf(events, 'event of a stream')) {
        if (memberOf(json, 'jsonrpc') !== undefined) fail('an event has an envelope', exchange);
        if (!PAYLOADS.some((name) => memberOf(json, name) !== undefined))
          fail('an event is no StreamResponse', exchange);
      }
    },
  },
  {
    id: 'rest.sse-error',
    async check(probe) {
      const headers = { accept: 'text/event-stream' };
      const opened = await probe.open('subscribe', { taskId: UNKNOWN_TASK, headers });
      if (!(opened instanceof LiveStream)) skip('errors come before the stream');
      await probe.closes(opened);
      opened.close();
      const last = opened.frames.at(-1);
      if (last?.event !== 'error' || !isObject(memberOf(last.json, 'error')))
        fail('the error is no last "event: error"', opened.exchange);
    },
  },
];
