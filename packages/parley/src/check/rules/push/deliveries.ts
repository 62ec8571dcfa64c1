import type { Probe } from '../../probe/probe.ts';
import type { Delivery, Inbox } from '../../probe/server.ts';
import type { Rule } from '../../rule.ts';
import { fail, skip } from '../../verdict.ts';
import { isObject, memberOf, textAt } from '../../wire/json.ts';
import { writeConfig } from '../../wire/push-shapes.ts';
import { readPayload, type SeenTask, stateIn, TERMINAL, textIn } from '../../wire/shapes.ts';
import { needReceiver, register } from './configs.ts';

const TOKEN = 'check-token';
const CREDENTIALS = 'check-credentials';
/** The longest wait for a first retry; slower servers are not seen. */
const RETRY_MS = 15_000;
/** A task that is not canceled by then is left as it is. */
const CANCEL_MS = 5000;

function bodyOf({ text }: Delivery): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isLast = (delivery: Delivery) => TERMINAL.has(stateIn(readPayload(bodyOf(delivery))) ?? '');

interface Delivered {
  readonly inbox: Inbox;
  readonly task: SeenTask;
}

/** A task with a webhook inside its send, told to the end; the same for all rules of an interface. */
function delivered(probe: Probe): Promise<Delivered> {
  return probe.once('delivered', async () => {
    const inbox = needReceiver(probe).inbox();
    const authentication = { scheme: 'Bearer', credentials: CREDENTIALS };
    const push = writeConfig(probe.form, { url: inbox.url, token: TOKEN, authentication });
    const task = probe.taskOf(await probe.say(await probe.promptFor('chunks'), { settings: { push, atOnce: false } }));
    await inbox.find(isLast, probe.server.budget.answerMs);
    return { inbox, task };
  });
}

function firstOf({ inbox }: Delivered): Delivery {
  return inbox.deliveries[0] ?? skip('nothing was delivered');
}

/** Waits until a webhook was told of the end of a task; tells whether it was. */
async function toldOfEnd(probe: Probe, inbox: Inbox): Promise<boolean> {
  return (await inbox.find(isLast, probe.server.budget.answerMs)) !== undefined;
}

/** A webhook that fails once. It is made early, since retries take their time. */
function failedOnce(probe: Probe): Promise<Inbox> {
  return probe.once('failed once', async () => {
    const inbox = needReceiver(probe).inbox();
    inbox.answer(503);
    await probe.say(await probe.promptFor('task'), { settings: { push: writeConfig(probe.form, { url: inbox.url }) } });
    return inbox;
  });
}

export const DELIVERIES: readonly Rule[] = [
  {
    id: 'send.inline-push',
    async check(probe) {
      const { task, inbox } = await delivered(probe);
      const answer = await probe.call('listPush', { taskId: task.id });
      const isListed = JSON.stringify(answer.result ?? null).includes(inbox.url);
      if (!isListed) fail('the config of the send is not registered', answer.exchange);
      if (inbox.deliveries.length === 0) fail('nothing was delivered', answer.exchange);
      await failedOnce(probe);
    },
  },
  {
    id: 'push.payload',
    async check(probe) {
      const { inbox } = await delivered(probe);
      if (inbox.deliveries.length === 0) skip('nothing was delivered');
      for (const delivery of inbox.deliveries) {
        const type = (delivery.headers['content-type'] ?? '').split(';', 1)[0];
        if (delivery.method !== 'POST') fail(`a webhook got a ${delivery.method}`);
        if (type !== 'application/a2a+json') fail(`a webhook got ${type}`);
        const body = bodyOf(delivery);
        const members = isObject(body) ? Object.keys(body) : [];
        if (members.length !== 1 || readPayload(body).kind === 'nothing')
          fail(`a webhook got the members ${members.join(', ')}`);
      }
    },
  },
  {
    id: 'push.authorization',
    async check(probe) {
      const { authorization } = firstOf(await delivered(probe)).headers;
      if (authorization !== `Bearer ${CREDENTIALS}`) fail(`Authorization was ${authorization ?? 'absent'}`);
      const inbox = needReceiver(probe).inbox();
      const { id } = probe.taskOf(
        await probe.say(await probe.promptFor('task'), { settings: { push: { url: inbox.url } } }),
      );
      const plain = await inbox.find(() => true, probe.server.budget.answerMs);
      if (plain === undefined) skip(`nothing was delivered for ${id}`);
      if (plain.headers.authorization !== undefined) fail('Authorization was sent without credentials');
    },
  },
  {
    id: 'push.token',
    async check(probe) {
      const { headers } = firstOf(await delivered(probe));
      if (headers['x-a2a-notification-token'] !== TOKEN) fail('the token was not sent as X-A2A-Notification-Token');
    },
  },
  {
    id: 'push.attempt',
    async check(probe) {
      const receiver = needReceiver(probe);
      const { id } = await probe.running().catch(() => probe.fresh('asking'));
      const inboxes = [receiver.inbox(), receiver.inbox()];
      for (const { url } of inboxes) await register(probe, id, { url });
      const { exchange } = await probe.call('cancel', { taskId: id, waitMs: CANCEL_MS });
      if (exchange.got === undefined) skip('the task could not be canceled');
      for (const inbox of inboxes) if (!(await toldOfEnd(probe, inbox))) fail('a webhook was not told of the end');
    },
  },
  {
    id: 'push.retry',
    async observed(probe) {
      const inbox = await failedOnce(probe);
      const again = await inbox.find(() => inbox.deliveries.length > 1, Math.min(RETRY_MS, probe.server.budget.left));
      if (again === undefined) fail(`a delivery that failed was not repeated within ${RETRY_MS / 1000} s`);
    },
  },
  {
    id: 'push.order',
    async check(probe) {
      const { inbox } = await delivered(probe);
      const seen = inbox.deliveries.map((delivery) => readPayload(bodyOf(delivery)));
      const times = seen
        .map(({ value }) => Date.parse(textAt(value, 'status', 'timestamp') ?? ''))
        .filter((time) => !Number.isNaN(time));
      if (times.some((time, index) => time < (times[index - 1] ?? 0))) fail('a webhook got an older status later');
      const end = seen.findIndex((event) => TERMINAL.has(stateIn(event) ?? ''));
      if (end >= 0 && end < seen.length - 1) fail('a webhook got more after the end');
    },
  },
  {
    id: 'push.isolated',
    async check(probe) {
      const receiver = needReceiver(probe);
      const { id } = await probe.fresh('asking');
      const inbox = receiver.inbox();
      // Nothing listens at the port for discarding.
      await register(probe, id, { url: new URL('/', inbox.url.replace(/:\d+\//, ':9/')).href });
      await register(probe, id, { url: inbox.url });
      const answer = await probe.call('cancel', { taskId: id });
      if (probe.bareTaskOf(answer).state !== 'canceled') fail('the task was delayed', answer.exchange);
      if (!(await toldOfEnd(probe, inbox))) fail('a dead webhook keeps another from being told');
    },
  },
  {
    id: 'push.independent',
    async check(probe) {
      const receiver = needReceiver(probe);
      const prompt = await probe.promptFor('chunks');
      const [streamed, atOnce] = [receiver.inbox(), receiver.inbox()];
      if (probe.server.capabilities.streaming) {
        await probe.transcriptOf(prompt, { settings: { push: { url: streamed.url } } });
        if (!(await toldOfEnd(probe, streamed))) fail('nothing is delivered while a stream is open');
      }
      await probe.say(prompt, { settings: { push: { url: atOnce.url }, atOnce: true } });
      if (!(await toldOfEnd(probe, atOnce))) fail('nothing is delivered for a send that does not wait');
    },
  },
  {
    id: 'push.events-default',
    async check(probe) {
      const { inbox, task } = await delivered(probe);
      const seen = inbox.deliveries.map((delivery) => readPayload(bodyOf(delivery)));
      const artifacts = seen.filter(({ kind }) => kind === 'artifact').map(({ value }) => memberOf(value, 'artifact'));
      const whole = task.artifacts ?? [];
      if (artifacts.length !== whole.length)
        fail(`${whole.length} artifacts were told of by ${artifacts.length} deliveries`);
      if (artifacts.map(textIn).join() !== whole.map(textIn).join()) fail('an artifact was not delivered as a whole');
      const states = new Set(seen.map(stateIn));
      if (!states.has('working') || !states.has('completed')) fail('a status change was not delivered');
    },
  },
  {
    id: 'push.dialect',
    async check(probe) {
      const body = bodyOf(firstOf(await delivered(probe)));
      const isOld = memberOf(body, 'kind') !== undefined;
      if (isOld !== (probe.version === '0.3')) fail(`a webhook of ${probe.version} got another form`);
    },
  },
  {
    id: 'v03.push-body',
    async check(probe) {
      const delivery = firstOf(await delivered(probe));
      const type = (delivery.headers['content-type'] ?? '').split(';', 1)[0];
      if (type !== 'application/json') fail(`a webhook got ${type}`);
      if (textAt(bodyOf(delivery), 'kind') === undefined) fail('the body is no bare object with a kind');
    },
  },
];
