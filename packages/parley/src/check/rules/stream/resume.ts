import { expectError, refusalOf, streamOf } from '../../expectations.ts';
import type { Probe, Transcript } from '../../probe/probe.ts';
import type { Rule } from '../../rule.ts';
import { fail, inapplicable, skip } from '../../verdict.ts';
import { memberOf, sameJson, textAt } from '../../wire/json.ts';
import type { LiveStream } from '../../wire/live-stream.ts';

const RESUME = 'urn:parley:ext:resume:v1';

/** A whole stream whose frames have ids, and its task. */
async function numbered(
  probe: Probe,
): Promise<Transcript & { readonly taskId: string; readonly ids: readonly number[] }> {
  if (!probe.server.capabilities.extensions.includes(RESUME)) inapplicable(`the card does not declare ${RESUME}`);
  const transcript = await probe.transcript();
  const { events, stream } = transcript;
  const taskId = textAt(events[0]?.value, 'id') ?? skip('the stream has no task');
  const ids = stream.frames.map(({ id }) => Number(id));
  if (ids.some((id) => !Number.isInteger(id))) fail('a frame has no id that is a number', stream.exchange);
  return { ...transcript, taskId, ids };
}

async function resume(probe: Probe, taskId: string, lastEventId: string): Promise<LiveStream> {
  const stream = streamOf(await probe.open('subscribe', { taskId, headers: { 'last-event-id': lastEventId } }));
  await probe.closes(stream);
  stream.close();
  return stream;
}

const payloadsOf = (probe: Probe, stream: LiveStream) => probe.eventsOf(stream).map(({ value }) => value);

export const RESUME_RULES: readonly Rule[] = [
  {
    id: 'resume.frame-id',
    async check(probe) {
      const { ids, stream } = await numbered(probe);
      if (ids.some((id, index) => index > 0 && id <= (ids[index - 1] ?? 0)))
        fail('the ids do not increase', stream.exchange);
    },
  },
  {
    id: 'resume.snapshot-id',
    async check(probe) {
      await numbered(probe);
      const { id: taskId } = await probe.fresh('asking');
      const [one, other] = [await openedAt(probe, taskId), await openedAt(probe, taskId)];
      const [first, second] = [one.frames[0]?.id, other.frames[0]?.id];
      await probe.drop(taskId);
      await probe.closes(one);
      one.close();
      other.close();
      if (first === undefined || first !== second)
        fail('the snapshots of a quiet task have different ids', one.exchange, other.exchange);
      const next = one.frames[1]?.id;
      if (next !== undefined && Number(next) <= Number(first))
        fail('the next event is not after the snapshot', one.exchange);
    },
  },
  {
    id: 'resume.last-event-id',
    async check(probe) {
      const { ids, stream, taskId } = await numbered(probe);
      const middle = Math.floor(ids.length / 2);
      const again = await resume(probe, taskId, String(ids[middle]));
      const expected = payloadsOf(probe, stream).slice(middle + 1);
      if (!sameJson(payloadsOf(probe, again), expected))
        fail('not exactly the events after the id came', again.exchange);
    },
  },
  {
    id: 'resume.metadata',
    async check(probe) {
      if (probe.binding === 'rest') inapplicable('a subscription over HTTP+JSON has no metadata');
      const { ids, stream, taskId } = await numbered(probe);
      const middle = Math.floor(ids.length / 2);
      const params = { metadata: { [RESUME]: ids[middle] } };
      const again = streamOf(await probe.open('subscribe', { taskId, params }));
      await probe.closes(again);
      again.close();
      const expected = payloadsOf(probe, stream).slice(middle + 1);
      if (!sameJson(payloadsOf(probe, again), expected))
        fail('not exactly the events after the number came', again.exchange);
    },
  },
  {
    id: 'resume.gap',
    async check(probe) {
      await numbered(probe);
      const { id: taskId } = await probe.running();
      for (const [asked, gap] of [
        ['nonsense', 'malformed'],
        ['999999', 'ahead'],
      ] as const) {
        const opened = streamOf(await probe.open('subscribe', { taskId, headers: { 'last-event-id': asked } }));
        await opened.find(() => true);
        opened.close();
        const [first] = probe.eventsOf(opened);
        const told = memberOf(first?.value, 'metadata', RESUME);
        if (first?.kind !== 'task') fail('the task does not come first', opened.exchange);
        if (memberOf(told, 'gap') !== gap) fail(`the task does not tell of the gap "${gap}"`, opened.exchange);
      }
      await probe.drop(taskId);
    },
  },
  {
    id: 'resume.terminal-replay',
    async check(probe) {
      const { ids, taskId, stream } = await numbered(probe);
      const again = await resume(probe, taskId, String(ids[0]));
      if (again.end !== 'ended' && again.end !== 'left') fail('the replay was not closed', again.exchange);
      if (again.frames.length !== stream.frames.length - 1) fail('the rest was not replayed', again.exchange);
    },
  },
  {
    id: 'resume.terminal-end',
    async check(probe) {
      const { ids, taskId } = await numbered(probe);
      const headers = { 'last-event-id': String(ids.at(-1)) };
      expectError(await refusalOf(await probe.open('subscribe', { taskId, headers })), 'UNSUPPORTED_OPERATION');
      if (probe.binding !== 'rest') return;
      const outgoing = await probe.caller.outgoing('subscribe', { taskId, headers });
      const { exchange } = await probe.caller.read({ ...outgoing, method: 'GET' });
      if (exchange.got?.status !== 204) fail('a GET at the end is not answered with 204', exchange);
    },
  },
];

async function openedAt(probe: Probe, taskId: string): Promise<LiveStream> {
  const stream = streamOf(await probe.open('subscribe', { taskId }));
  await stream.find(() => true);
  return stream;
}
