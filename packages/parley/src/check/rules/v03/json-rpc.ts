import { expectError, resultOf, sentResult, streamOf } from '../../expectations.ts';
import type { Rule } from '../../rule.ts';
import { eachOf } from '../../seen.ts';
import { fail, inapplicable, skip } from '../../verdict.ts';
import { readAnswer } from '../../wire/caller.ts';
import { A2A_ERRORS, isError } from '../../wire/errors.ts';
import { isObject, listAt, memberOf, sameJson, textAt, valuesIn } from '../../wire/json.ts';
import { LiveStream } from '../../wire/live-stream.ts';
import { INTERRUPTED, partsOf, readPayload, stateIn, TERMINAL } from '../../wire/shapes.ts';
import { UNKNOWN_TASK } from '../tasks/get-and-cancel.ts';
import { seenDocuments } from '../wire/json.ts';

const KINDS = ['task', 'message', 'status-update', 'artifact-update'];
const PART_KINDS = ['text', 'file', 'data'];
const STATE = /^(?:submitted|working|input-required|completed|canceled|failed|rejected|auth-required|unknown)$/;

export const V03_JSON_RPC: readonly Rule[] = [
  {
    id: 'v03.methods',
    async check(probe) {
      const { id } = await probe.finished();
      resultOf(await probe.call('get', { taskId: id }));
      expectError(await probe.call('cancel', { taskId: id }), 'TASK_NOT_CANCELABLE');
      for (const operation of ['subscribe', 'listPush', 'extendedCard'] as const) {
        const { error, exchange } = await probe.call(operation, { taskId: id });
        if (error?.code === -32601 && operation !== 'extendedCard') fail('a method of the table is unknown', exchange);
      }
    },
  },
  {
    id: 'v03.result-bare',
    async check(probe) {
      const answer = await probe.say(await probe.promptFor('task'));
      const kind = textAt(sentResult(answer), 'kind') ?? '';
      if (kind !== 'task' && kind !== 'message')
        fail('the result is no bare task or message with a kind', answer.exchange);
    },
  },
  {
    id: 'v03.kind',
    observed(probe) {
      const isCard = (document: unknown) => memberOf(document, 'protocolVersion') !== undefined;
      const documents = [...seenDocuments(probe)].filter(([document]) => !isCard(document));
      for (const [document, exchange] of eachOf(documents, 'result')) {
        for (const { name, value, parent, path } of valuesIn({ result: document })) {
          if (name === 'state' && !STATE.test(String(value))) fail(`${path} is ${JSON.stringify(value)}`, exchange);
          if (name === 'role' && value !== 'user' && value !== 'agent')
            fail(`${path} is ${JSON.stringify(value)}`, exchange);
          const isPart = Array.isArray(parent) && /parts\[\d+\]$/.test(path);
          if (isPart && !PART_KINDS.includes(textAt(value, 'kind') ?? '')) fail(`${path} has no kind`, exchange);
          const isMessage = name === 'message' || /history\[\d+\]$/.test(path);
          if (isMessage && isObject(value) && value.kind !== 'message') fail(`${path} has no kind`, exchange);
        }
      }
    },
  },
  {
    id: 'v03.file-parts',
    async check(probe) {
      const prompt = await probe.promptFor('task');
      const params = probe.sendParams(prompt, { settings: { atOnce: true } });
      const file = { bytes: 'eA==', mimeType: 'text/plain', name: 'a.txt' };
      const parts = [
        { kind: 'text', text: prompt.text },
        { kind: 'file', file },
      ];
      const answer = await probe.call('send', {
        params: { ...params, message: { ...(params.message as object), parts } },
      });
      if (answer.error?.code === -32005) skip('the agent does not take files');
      const task = probe.taskOf(answer);
      const [message] = (await probe.get(task.id)).history ?? [];
      if (message === undefined) skip('no history shows what was received');
      if (!sameJson(memberOf(partsOf(message)[1], 'file'), file)) fail('the file came back changed', answer.exchange);
    },
  },
  {
    id: 'v03.data-object',
    async check(probe) {
      const modern =
        probe.siblings.find(({ version }) => version === '1.0') ?? inapplicable('the server does not speak 1.0');
      const prompt = await modern.promptFor('task');
      const params = modern.sendParams(prompt, { settings: { atOnce: true } });
      const parts = [{ text: prompt.text }, { data: [1, 2] }];
      const sent = await modern.call('send', {
        params: { ...params, message: { ...(params.message as object), parts } },
      });
      const { id } = modern.taskOf(sent);
      const answer = await probe.call('get', { taskId: id });
      const [message] = probe.bareTaskOf(answer).history ?? [];
      if (message === undefined) skip('no history shows what was received');
      const part = partsOf(message)[1];
      const data = probe.form === '0.3 proto' ? memberOf(part, 'data', 'data') : memberOf(part, 'data');
      if (!isObject(data) || !sameJson(data.value, [1, 2]))
        fail('data that is no object is not wrapped under value', answer.exchange);
    },
  },
  {
    id: 'v03.context-id',
    observed(probe) {
      const tasks = [...seenDocuments(probe)].filter(([document]) => memberOf(document, 'kind') === 'task');
      for (const [document, exchange] of eachOf(tasks, 'task')) {
        if (!textAt(document, 'contextId')) fail('a task has no contextId', exchange);
      }
    },
  },
  {
    id: 'v03.final-flag',
    async check(probe) {
      const { events, stream } = await probe.transcript();
      const updates = events.filter(({ kind }) => kind === 'status');
      if (updates.length === 0) skip('no status update was streamed');
      if (updates.some(({ value }) => typeof memberOf(value, 'final') !== 'boolean'))
        fail('a status update has no final', stream.exchange);
    },
  },
  {
    id: 'v03.final-value',
    async check(probe) {
      const { events, stream } = await probe.transcript();
      const updates = events.filter(({ kind }) => kind === 'status');
      for (const event of eachOf(updates, 'status update')) {
        const state = stateIn(event) ?? '';
        const isFinal = TERMINAL.has(state) || state === 'input-required';
        const final = memberOf(event.value, 'final') === true;
        if (final !== isFinal) fail(`final is ${final} for ${state}`, stream.exchange);
      }
    },
  },
  {
    id: 'v03.stream',
    async check(probe) {
      const { stream } = await probe.transcript();
      for (const { json } of eachOf(stream.frames, 'event of a stream')) {
        if (memberOf(json, 'jsonrpc') !== '2.0') fail('an event is no JSON-RPC response', stream.exchange);
        const kind = textAt(json, 'result', 'kind') ?? '';
        if (memberOf(json, 'error') === undefined && !KINDS.includes(kind))
          fail('a result is no bare object with a kind', stream.exchange);
      }
    },
  },
  {
    id: 'v03.stream-first',
    async check(probe) {
      const { events, stream } = await probe.transcript();
      const [first] = events;
      const isFit = first?.kind === 'task' || (first?.kind === 'message' && events.length === 1);
      if (!isFit) fail(`the stream begins with ${first?.kind ?? 'nothing'}`, stream.exchange);
    },
  },
  {
    id: 'v03.stream-error',
    async check(probe) {
      probe.needStreaming();
      const opened = await probe.open('subscribe', { taskId: UNKNOWN_TASK });
      if (!(opened instanceof LiveStream)) fail('the error is no event of a stream', opened.exchange);
      await probe.closes(opened);
      opened.close();
      if (opened.frames.length !== 1 || memberOf(opened.frames[0]?.json, 'error') === undefined)
        fail('the error is not a single event', opened.exchange);
    },
  },
  {
    id: 'v03.error-codes',
    observed(probe) {
      const known = Object.values(A2A_ERRORS).map(({ code }) => code as number);
      const codes = probe.caller.exchanges
        .filter(({ odd }) => odd !== true)
        .map((exchange) => [readAnswer(exchange, 'jsonrpc').error?.code ?? 0, exchange] as const)
        .filter(([code]) => code !== 0);
      for (const [code, exchange] of eachOf(codes, 'error')) {
        const isKnown =
          known.includes(code) || (code <= -32600 && code >= -32700) || (code <= -32000 && code >= -32099);
        if (!isKnown) fail(`an error has the code ${code}`, exchange);
      }
    },
  },
  {
    id: 'v03.blocking',
    async check(probe) {
      const whole = await probe.say(await probe.promptFor('chunks'), { settings: { atOnce: false } });
      const done = probe.taskOf(whole);
      if (!TERMINAL.has(done.state) && !INTERRUPTED.has(done.state))
        fail('blocking: true did not wait', whole.exchange);
      const answer = await probe.say(await probe.promptFor('running'), { settings: { atOnce: true } });
      const task = probe.taskOf(answer);
      if (TERMINAL.has(task.state)) fail('blocking: false waited', answer.exchange);
      await probe.drop(task.id);
    },
  },
  {
    id: 'v03.blocking-absent-forms',
    async check(probe) {
      const prompt = await probe.promptFor('chunks');
      const bare = probe.taskOf(await probe.say(prompt));
      if (!TERMINAL.has(bare.state)) fail('without a configuration it did not wait');
      const waits = probe.form === '0.3';
      // A quick agent has ended when the response is made, whether or not the send waited for it.
      const asked = waits ? prompt : await probe.promptFor('running');
      const params = { ...probe.sendParams(asked), configuration: { historyLength: 5 } };
      const answer = await probe.call('send', { params });
      const task = probe.taskOf(answer);
      if (TERMINAL.has(task.state) !== waits)
        fail(`a configuration without blocking ${waits ? 'did not wait' : 'waited'}`, answer.exchange);
      if (!waits) await probe.drop(task.id);
    },
  },
  {
    id: 'v03.blocking-grpc',
    async check(probe) {
      const params = { ...probe.sendParams(await probe.promptFor('running')) };
      for (const settings of [{}, { configuration: {} }, { configuration: { blocking: false } }]) {
        const { message } = params;
        const answer = await probe.call('send', { params: { message, ...settings } });
        const task = probe.taskOf(answer);
        if (TERMINAL.has(task.state)) fail('a send that does not say so waited', answer.exchange);
        await probe.drop(task.id);
      }
    },
  },
  {
    id: 'v03.history-member',
    async check(probe) {
      const { id } = await probe.finished();
      const answer = await probe.call('get', { taskId: id, params: { historyLength: 3 } });
      if (listAt(resultOf(answer), 'history') === undefined) fail('there is no history', answer.exchange);
    },
  },
  {
    id: 'v03.resubscribe',
    async check(probe) {
      probe.needStreaming();
      const { id } = await probe.running();
      const stream = streamOf(await probe.open('subscribe', { taskId: id }));
      await new Promise((resolve) => setTimeout(resolve, 50));
      await probe.call('cancel', { taskId: id });
      const told = await stream.find(probe.shows('canceled'));
      stream.close();
      if (told === undefined) fail('a later event was not delivered', stream.exchange);
    },
  },
  {
    id: 'v03.no-list',
    async check(probe) {
      if (probe.binding === 'rest') {
        const { exchange, error } = await probe.call('list', { odd: true });
        if (error?.status !== 404 && error?.status !== 405) fail('listing is not 404', exchange);
        return;
      }
      if (probe.binding === 'grpc') {
        expectError(await probe.call('list', { odd: true }), 'METHOD_NOT_FOUND');
        return;
      }
      const usual = await probe.caller.outgoing('get');
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/list', params: {} });
      expectError(await probe.caller.read({ ...usual, body }, { odd: true }), 'METHOD_NOT_FOUND');
    },
  },
  {
    id: 'v03.extensions',
    async check(probe) {
      const [uri] = probe.server.capabilities.extensions;
      if (uri === undefined) inapplicable('the card declares no extensions');
      const params = probe.sendParams(await probe.promptFor('task'));
      const answer = await probe.call('send', { params, headers: { 'x-a2a-extensions': uri } });
      sentResult(answer);
      const echoed = answer.exchange.got?.headers['x-a2a-extensions'] ?? '';
      if (!echoed.includes(uri))
        fail('the activated extension is not answered under X-A2A-Extensions', answer.exchange);
    },
  },
  {
    id: 'v03.extended-card',
    async check(probe) {
      if (probe.server.capabilities.extendedCard) {
        const answer = await probe.call('extendedCard');
        if (answer.error?.status === 401) inapplicable('the extended card needs credentials');
        if (answer.error !== undefined && isError(answer.error, 'EXTENDED_AGENT_CARD_NOT_CONFIGURED'))
          inapplicable('no extended card is configured');
        if (textAt(resultOf(answer), 'name') === undefined) fail('the result is no card', answer.exchange);
        return;
      }
      expectError(
        await probe.call('extendedCard'),
        'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
        'METHOD_NOT_FOUND',
        'UNSUPPORTED_OPERATION',
      );
    },
  },
  {
    id: 'v03.round-trip',
    async check(probe) {
      const other =
        probe.siblings.find(({ version }) => version !== probe.version) ??
        inapplicable('the server speaks one version only');
      const prompt = await probe.promptFor('task');
      const metadata = { check: ['ä', 1, null] };
      const task = probe.taskOf(await probe.say(prompt, { message: { metadata } }));
      const answer = await other.call('get', { taskId: task.id });
      const [there] = other.bareTaskOf(answer).history ?? [];
      const [back] = (await probe.get(task.id)).history ?? [];
      if (there === undefined || back === undefined) skip('no history shows what was received');
      const isSame = sameJson(memberOf(there, 'metadata'), metadata) && sameJson(memberOf(back, 'metadata'), metadata);
      if (!isSame || memberOf(there, 'messageId') !== memberOf(back, 'messageId'))
        fail('a message is another one in the other version', answer.exchange);
      if (readPayload({ message: there }).kind !== 'message') fail('it is no message', answer.exchange);
    },
  },
];
