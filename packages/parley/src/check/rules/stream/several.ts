import { expectError, refusalOf, streamOf } from '../../expectations.ts';
import type { Probe } from '../../probe/probe.ts';
import type { Rule } from '../../rule.ts';
import { fail, skip } from '../../verdict.ts';
import { memberOf, sameJson, textAt } from '../../wire/json.ts';
import { LiveStream } from '../../wire/live-stream.ts';
import { stateIn, TERMINAL, textIn } from '../../wire/shapes.ts';
import { UNKNOWN_TASK } from '../tasks/get-and-cancel.ts';

async function subscribe(probe: Probe, taskId: string): Promise<LiveStream> {
  probe.needStreaming();
  const stream = streamOf(await probe.open('subscribe', { taskId }));
  await stream.find(() => true);
  return stream;
}

/** Cancels a task and waits until each stream has been told and closed. */
async function cancelSeenBy(probe: Probe, taskId: string, ...streams: readonly LiveStream[]): Promise<void> {
  await probe.call('cancel', { taskId });
  for (const stream of streams) {
    await stream.find(probe.shows(...TERMINAL));
    await probe.closes(stream);
  }
}

function updatesOf(probe: Probe, stream: LiveStream): readonly unknown[] {
  return probe
    .eventsOf(stream)
    .filter(({ kind }) => kind !== 'task')
    .map(({ value }) => value);
}

export const SEVERAL_STREAMS: readonly Rule[] = [
  {
    id: 'stream.broadcast',
    async check(probe) {
      const { id } = await probe.running();
      const [one, other] = [await subscribe(probe, id), await subscribe(probe, id)];
      await cancelSeenBy(probe, id, one, other);
      const [seen, alsoSeen] = [updatesOf(probe, one), updatesOf(probe, other)];
      if (seen.length === 0 && alsoSeen.length === 0) skip('no event came after both had subscribed');
      const common = Math.min(seen.length, alsoSeen.length);
      const isSame = common > 0 && sameJson(seen.slice(-common), alsoSeen.slice(-common));
      if (!isSame) fail('two streams of a task got different events', one.exchange, other.exchange);
    },
  },
  {
    id: 'stream.close-one',
    async check(probe) {
      const { id } = await probe.running();
      const [one, other] = [await subscribe(probe, id), await subscribe(probe, id)];
      one.close();
      const { state } = await probe.get(id);
      if (TERMINAL.has(state)) fail(`the task became ${state} when a stream was closed`, other.exchange);
      if (other.end !== 'open') fail('another stream was closed as well', other.exchange);
      await cancelSeenBy(probe, id, other);
      const last = probe
        .eventsOf(other)
        .map(stateIn)
        .findLast((shown) => shown !== undefined);
      if (last !== 'canceled') fail('the other stream was not told of the end', other.exchange);
    },
  },
  {
    id: 'cancel.spreads',
    async check(probe) {
      const { id } = await probe.running();
      const stream = await subscribe(probe, id);
      await cancelSeenBy(probe, id, stream);
      const last = probe
        .eventsOf(stream)
        .map(stateIn)
        .findLast((shown) => shown !== undefined);
      if (last !== 'canceled') fail('an open stream was not told', stream.exchange);
      if (stream.end !== 'ended') fail('an open stream was not closed', stream.exchange);
    },
  },
  {
    id: 'subscribe.first-task',
    async check(probe) {
      const { id } = await probe.running();
      const stream = await subscribe(probe, id);
      stream.close();
      const [first] = probe.eventsOf(stream);
      await probe.drop(id);
      if (first?.kind !== 'task' || textAt(first.value, 'id') !== id)
        fail('the first event is not the task', stream.exchange);
    },
  },
  {
    id: 'subscribe.atomic',
    async check(probe) {
      const task = probe.taskOf(await probe.say(await probe.promptFor('chunks'), { settings: { atOnce: true } }));
      if (TERMINAL.has(task.state)) skip('the task was over before it could be subscribed to');
      const opened = await probe.open('subscribe', { taskId: task.id });
      if (!(opened instanceof LiveStream)) skip('the task was over before it could be subscribed to');
      await opened.find(probe.shows(...TERMINAL));
      await probe.closes(opened);
      opened.close();
      const [first, ...rest] = probe.eventsOf(opened);
      const textOf = (holder: unknown) =>
        ((memberOf(holder, 'artifacts') as readonly unknown[] | undefined) ?? []).map(textIn).join('');
      const later = rest
        .filter(({ kind }) => kind === 'artifact')
        .map(({ value }) => textIn(memberOf(value, 'artifact')));
      const whole = textOf((await probe.get(task.id)).raw);
      if (textOf(first?.value) + later.join('') !== whole)
        fail('snapshot and events together are not the task', opened.exchange);
    },
  },
  {
    id: 'subscribe.terminal',
    async check(probe) {
      probe.needStreaming();
      const { id } = await probe.finished();
      expectError(await refusalOf(await probe.open('subscribe', { taskId: id })), 'UNSUPPORTED_OPERATION');
    },
  },
  {
    id: 'subscribe.unknown',
    async check(probe) {
      probe.needStreaming();
      expectError(await refusalOf(await probe.open('subscribe', { taskId: UNKNOWN_TASK })), 'TASK_NOT_FOUND');
    },
  },
  {
    id: 'subscribe.interrupted',
    async check(probe) {
      const { id } = await probe.fresh('asking');
      probe.needStreaming();
      const stream = streamOf(await probe.open('subscribe', { taskId: id }));
      const first = await stream.find(() => true);
      stream.close();
      await probe.drop(id);
      if (first === undefined || probe.eventOf(first).kind !== 'task') fail('no task came', stream.exchange);
    },
  },
  {
    id: 'subscribe.stays-open',
    async check(probe) {
      const { id } = await probe.fresh('asking');
      const stream = await subscribe(probe, id);
      const isClosed = await stream.ended(200);
      if (isClosed) fail('the stream was closed in input-required', stream.exchange);
      await cancelSeenBy(probe, id, stream);
      if (stream.end !== 'ended') fail('the stream was not closed when the task was canceled', stream.exchange);
    },
  },
  {
    id: 'subscribe.verbs',
    async check(probe) {
      const { id } = await probe.running();
      const outgoing = await probe.caller.outgoing('subscribe', {
        taskId: id,
        headers: { accept: 'text/event-stream' },
      });
      for (const method of ['POST', 'GET']) {
        const opened = await probe.caller.openRaw({ ...outgoing, method });
        if (!(opened instanceof LiveStream)) fail(`${method} does not subscribe`, opened.exchange);
        opened.close();
      }
      await probe.drop(id);
    },
  },
];
