import { resultOf, sentResult } from '../../expectations.ts';
import { cardRequest } from '../../probe/cards.ts';
import type { Rule } from '../../rule.ts';
import { eachOf } from '../../seen.ts';
import { fail, inapplicable } from '../../verdict.ts';
import { isObject, listAt, memberOf, numberAt, objectAt, textAt } from '../../wire/json.ts';
import { textMessage } from '../../wire/shapes.ts';
import { UNKNOWN_TASK } from '../tasks/get-and-cancel.ts';
import { seenErrors } from '../wire/errors.ts';

const CARD_TEXTS = ['protocolVersion', 'name', 'description', 'url', 'version'];
const CARD_LISTS = ['defaultInputModes', 'defaultOutputModes', 'skills'];
const TRANSPORTS = { jsonrpc: 'JSONRPC', rest: 'HTTP+JSON', grpc: 'GRPC' } as const;
const SCHEME_TYPES = ['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS'];

export const V03_CARD_AND_REST: readonly Rule[] = [
  {
    id: 'v03.card-members',
    server({ cards, targets }) {
      const { card, exchange } = cards['0.3'];
      const isOld = textAt(card, 'protocolVersion') !== undefined && textAt(card, 'url') !== undefined;
      if (!isOld && !targets.some(({ version }) => version === '0.3')) inapplicable('the server does not speak 0.3');
      const text = CARD_TEXTS.find((name) => textAt(card, name) === undefined);
      if (text !== undefined) fail(`the 0.3 card has no ${text}`, exchange);
      const list = CARD_LISTS.find((name) => listAt(card, name) === undefined);
      if (list !== undefined) fail(`the 0.3 card has no ${list}`, exchange);
      if (objectAt(card, 'capabilities') === undefined) fail('the 0.3 card has no capabilities', exchange);
      const version = textAt(card, 'protocolVersion') ?? '';
      if (!/^0\.3\.\d+$/.test(version)) fail(`protocolVersion is ${version}`, exchange);
      if (textAt(card, 'preferredTransport') === undefined) fail('the 0.3 card has no preferredTransport', exchange);
      const spoken = new Set(
        targets.filter((target) => target.version === '0.3').map(({ binding }) => TRANSPORTS[binding]),
      );
      const listed = new Set([
        textAt(card, 'preferredTransport'),
        ...(listAt(card, 'additionalInterfaces') ?? []).map((entry) => textAt(entry, 'transport')),
      ]);
      const missing = [...spoken].find((transport) => !listed.has(transport));
      if (missing !== undefined) fail(`additionalInterfaces lacks ${missing}`, exchange);
    },
  },
  {
    id: 'v03.card-security',
    server({ cards }) {
      const { card, exchange } = cards['0.3'];
      const schemes = Object.entries(objectAt(card, 'securitySchemes') ?? {});
      if (schemes.length === 0) inapplicable('the card has no security schemes');
      const wrong = schemes.find(([, scheme]) => !SCHEME_TYPES.includes(textAt(scheme, 'type') ?? ''));
      if (wrong !== undefined) fail(`the scheme ${wrong[0]} has no type of 0.3`, exchange);
      for (const requirement of listAt(card, 'security') ?? []) {
        const isFit = isObject(requirement) && Object.values(requirement).every((scopes) => Array.isArray(scopes));
        if (!isFit) fail('a requirement is not scheme name to scopes', exchange);
      }
    },
  },
  {
    id: 'v03.rest-routes',
    async check(probe) {
      const { id } = await probe.newTask();
      resultOf(await probe.call('get', { taskId: id }));
      const { error, exchange } = await probe.call('cancel', { taskId: id });
      if (error === undefined || error.status === 404) fail('POST /v1/tasks/{id}:cancel does not respond', exchange);
    },
  },
  {
    id: 'v03.rest-forms',
    async check(probe) {
      const prompt = await probe.promptFor('task');
      const messages = {
        'the JSON types': textMessage('0.3', `check-${crypto.randomUUID()}`, prompt.text),
        snake_case: { message_id: `check-${crypto.randomUUID()}`, role: 'ROLE_USER', content: [{ text: prompt.text }] },
      };
      for (const [form, message] of Object.entries(messages)) {
        const answer = await probe.call('send', { params: { message } });
        if (answer.error !== undefined) fail(`${form} are not read`, answer.exchange);
        const written = JSON.stringify(answer.result);
        const isTyped = written.includes('"kind"');
        if (isTyped !== (form === 'the JSON types'))
          fail('the reply has another form than the request', answer.exchange);
      }
      const { id } = await probe.finished();
      const got = await probe.call('get', { taskId: id });
      if (!(textAt(resultOf(got), 'status', 'state') ?? '').startsWith('TASK_STATE_'))
        fail('a GET is not answered in ProtoJSON', got.exchange);
    },
  },
  {
    id: 'v03.rest-wrapped',
    async check(probe) {
      const answer = await probe.say(await probe.promptFor('task'));
      const result = sentResult(answer);
      if (!isObject(memberOf(result, 'task')) && !isObject(memberOf(result, 'message')))
        fail('the result is not wrapped', answer.exchange);
      if (!probe.server.capabilities.streaming) return;
      const { events, stream } = await probe.transcript();
      if (events.some(({ kind }) => kind === 'nothing')) fail('an event is not wrapped', stream.exchange);
    },
  },
  {
    id: 'v03.rest-cancelled',
    async check(probe) {
      const { id } = await probe.running();
      await probe.call('cancel', { taskId: id });
      await probe.until(id, ({ state }) => state === 'canceled', 'canceled');
      const answer = await probe.call('get', { taskId: id });
      const state = textAt(resultOf(answer), 'status', 'state');
      if (state !== 'TASK_STATE_CANCELLED') fail(`the state is ${state}`, answer.exchange);
    },
  },
  {
    id: 'v03.rest-errors-union',
    async check(probe) {
      await probe.call('get', { taskId: UNKNOWN_TASK });
      const usual = [...seenErrors(probe)].filter(([, { odd }]) => !odd);
      for (const [, exchange] of eachOf(usual, 'error of the protocol')) {
        const body: unknown = JSON.parse(exchange.got?.text ?? '{}');
        const isWhole =
          numberAt(body, 'error', 'code') === exchange.got?.status &&
          textAt(body, 'error', 'status') !== undefined &&
          textAt(body, 'error', 'message') !== undefined &&
          textAt(body, 'type') !== undefined &&
          numberAt(body, 'code') !== undefined &&
          textAt(body, 'message') !== undefined;
        if (!isWhole) fail('the body is not the one that all peers read', exchange);
      }
    },
  },
  {
    id: 'v03.rest-card-root',
    async check({ server, url }) {
      if (server.capabilities.extendedCard) inapplicable('the extended card is guarded');
      const exchange = await server.sender.exchange(cardRequest(`${new URL(url).origin}/v1/card`));
      const isRouted = exchange.got?.headers['content-type']?.includes('json');
      if (!isRouted || exchange.got?.status === 405) fail('/v1/card does not respond at the root', exchange);
    },
  },
];
