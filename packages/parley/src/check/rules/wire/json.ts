import { expectError, resultOf } from '../../expectations.ts';
import type { Probe } from '../../probe/probe.ts';
import type { Rule } from '../../rule.ts';
import { eachOf } from '../../seen.ts';
import { fail, skip } from '../../verdict.ts';
import { readAnswer } from '../../wire/caller.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { listAt, memberOf, sameJson, type Visited, valuesIn } from '../../wire/json.ts';
import { textIn } from '../../wire/shapes.ts';
import { CARD_1_0, type Shape, STREAM_RESPONSE, TASK, TASK_LIST, unknownMembers } from '../schemas.ts';

/** Every result and event that was seen, with its exchange. */
export function* seenDocuments(probe: Probe): Generator<readonly [unknown, Exchange]> {
  for (const exchange of probe.caller.exchanges) {
    const { result } = readAnswer(exchange, probe.binding);
    if (result !== undefined && exchange.odd !== true) yield [result, exchange];
  }
  for (const stream of probe.caller.streams) {
    for (const frame of stream.frames) {
      const event = probe.payloadOf(frame);
      if (event !== undefined) yield [event, stream.exchange];
    }
  }
}

/** The values of all results and events that fit, such as those under one name. */
function* valuesSeen(probe: Probe, fits: (value: Visited) => boolean): Generator<readonly [Visited, Exchange]> {
  for (const [document, exchange] of seenDocuments(probe)) {
    for (const value of valuesIn({ '': document })) if (fits(value)) yield [value, exchange];
  }
}

/** The shape that a document of 1.0 must have, told by its members; undefined for others. */
function shapeOf(document: unknown): Shape | undefined {
  if (memberOf(document, 'supportedInterfaces') !== undefined) return CARD_1_0;
  if (listAt(document, 'tasks') !== undefined) return TASK_LIST;
  if (memberOf(document, 'id') !== undefined && memberOf(document, 'status') !== undefined) return TASK;
  const isPayload = ['task', 'message', 'statusUpdate', 'artifactUpdate'].some(
    (name) => memberOf(document, name) !== undefined,
  );
  return isPayload ? STREAM_RESPONSE : undefined;
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
const METADATA = { text: 'ä', list: [1, null, { deep: [true] }], number: 0.5, nothing: null, empty: {} };

export const JSON_RULES: readonly Rule[] = [
  {
    id: 'json.camel',
    observed(probe) {
      for (const [document, exchange] of eachOf(seenDocuments(probe), 'result')) {
        for (const { name, path } of valuesIn(document)) {
          if (name?.includes('_')) fail(`the member ${path} is not camelCase`, exchange);
        }
      }
    },
  },
  {
    id: 'json.enums',
    observed(probe) {
      const isState = ({ name, parent }: Visited) => name === 'state' && memberOf(parent, 'url') === undefined;
      const enums = valuesSeen(probe, (value) => isState(value) || value.name === 'role');
      for (const [found, exchange] of eachOf(enums, 'state or role')) {
        const { value, path } = found;
        const form = isState(found) ? /^TASK_STATE_[A-Z_]+$/ : /^ROLE_(?:USER|AGENT)$/;
        if (!form.test(String(value))) fail(`${path} is ${JSON.stringify(value)}`, exchange);
      }
    },
  },
  {
    id: 'json.timestamps',
    observed(probe) {
      const times = valuesSeen(probe, ({ name }) => name === 'timestamp');
      for (const [{ value, path }, exchange] of eachOf(times, 'timestamp')) {
        if (!TIME.test(String(value))) fail(`${path} is ${JSON.stringify(value)}`, exchange);
      }
    },
  },
  {
    id: 'json.nothing-extra',
    observed(probe) {
      const known = [...seenDocuments(probe)].filter(([document]) => shapeOf(document) !== undefined);
      for (const [document, exchange] of eachOf(known, 'result of a known shape')) {
        const shape = shapeOf(document);
        const [extra] = shape === undefined ? [] : unknownMembers(document, shape);
        if (extra !== undefined) fail(`there is a member ${extra}, which the schema does not know`, exchange);
      }
    },
  },
  {
    id: 'json.presence',
    observed(probe) {
      const isJudged = ({ name, value }: Visited) =>
        (name === 'message' || name === 'status') && typeof value === 'object';
      for (const [{ name, value, path }, exchange] of eachOf(valuesSeen(probe, isJudged), 'message or status')) {
        const members = name === 'message' ? ['messageId', 'role', 'parts'] : ['state'];
        const missing = members.find((member) => memberOf(value, member) === undefined);
        if (missing !== undefined) fail(`${path} has no ${missing}`, exchange);
      }
    },
  },
  {
    id: 'json.snake-in',
    async check(probe) {
      const { id } = await probe.finished();
      const answer = await probe.call('get', { taskId: id, params: { history_length: 0 } });
      if (memberOf(resultOf(answer), 'history') !== undefined) fail('history_length is not read', answer.exchange);
    },
  },
  {
    id: 'json.enums-in',
    async check(probe) {
      const params = probe.sendParams(await probe.promptFor('task'));
      const message = params.message as Record<string, unknown>;
      resultOf(await probe.call('send', { params: { ...params, message: { ...message, role: 1 } } }));
      const odd = { ...params, message: { ...message, role: 'ROLE_DANCER' } };
      expectError(await probe.call('send', { params: odd, odd: true }), 'INVALID_PARAMS', 'INVALID_REQUEST');
    },
  },
  {
    id: 'json.unknown-ignored',
    async check(probe) {
      const params = probe.sendParams(await probe.promptFor('task'));
      const message = { ...(params.message as object), unknownMember: 1 };
      resultOf(await probe.call('send', { params: { ...params, message, anotherOne: { a: [] } } }));
    },
  },
  {
    id: 'json.null-unset',
    async check(probe) {
      const params = probe.sendParams(await probe.promptFor('task'));
      const message = {
        ...(params.message as object),
        taskId: null,
        contextId: null,
        metadata: null,
        extensions: null,
      };
      const answer = await probe.call('send', { params: { ...params, message, configuration: null, metadata: null } });
      if (answer.error !== undefined) fail('null is not read as unset', answer.exchange);
    },
  },
  {
    id: 'json.metadata',
    async check(probe) {
      const prompt = await probe.promptFor('task');
      const answer = await probe.say(prompt, { message: { metadata: METADATA } });
      const task = probe.taskOf(answer);
      const history = task.history ?? (await probe.get(task.id)).history ?? [];
      const own =
        history.find((message) => textIn(message) === prompt.text) ?? skip('no history shows what was received');
      if (!sameJson(memberOf(own, 'metadata'), METADATA)) fail('metadata came back changed', answer.exchange);
    },
  },
];
