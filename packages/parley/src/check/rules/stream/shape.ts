import { expectError, refusalOf, streamOf } from '../../expectations.ts';
import type { Rule } from '../../rule.ts';
import { eachOf, seenFrames } from '../../seen.ts';
import { fail, inapplicable, skip } from '../../verdict.ts';
import { mediaTypeOf } from '../../wire/exchange.ts';
import { isObject, memberOf, textAt, valuesIn } from '../../wire/json.ts';
import { LiveStream } from '../../wire/live-stream.ts';
import { partsOf, stateIn, TERMINAL, textIn } from '../../wire/shapes.ts';

const PAYLOADS = ['task', 'message', 'statusUpdate', 'artifactUpdate'];

export const STREAM_SHAPE: readonly Rule[] = [
  {
    id: 'stream.first-frame-task',
    async check(probe) {
      const { events, stream } = await probe.transcript();
      if (events[0]?.kind === 'message') inapplicable('the agent answers with messages');
      if (events[0]?.kind !== 'task') fail(`the stream begins with ${events[0]?.kind ?? 'nothing'}`, stream.exchange);
    },
  },
  {
    id: 'stream.message-only',
    async check(probe) {
      probe.needStreaming();
      const { events, stream, end } = await probe.transcriptOf(await probe.promptFor('replying'));
      if (events[0]?.kind !== 'message') skip('the agent did not reply with a message');
      if (events.length !== 1) fail(`${events.length} events came instead of one message`, stream.exchange);
      if (end !== 'ended') fail('the stream was not closed after the message', stream.exchange);
    },
  },
  {
    id: 'stream.ends-terminal',
    async check(probe) {
      const { events, stream, end } = await probe.transcript();
      const last = events.map(stateIn).findLast((state) => state !== undefined);
      if (last === undefined || !TERMINAL.has(last)) {
        if (end === 'ended') fail(`the stream was closed with the state ${last ?? 'unknown'}`, stream.exchange);
        skip('the task did not end');
      }
      if (end !== 'ended') fail('the stream was not closed after the terminal state', stream.exchange);
    },
  },
  {
    id: 'stream.order',
    async check(probe) {
      const { events, stream } = await probe.transcript();
      const states = events.map(stateIn).filter((state) => state !== undefined);
      if (states.length === 0) skip('no state was streamed');
      const begun = states.findIndex((state) => state !== 'submitted');
      if (begun >= 0 && states.slice(begun).includes('submitted'))
        fail('the state went back to submitted', stream.exchange);
      const times = events
        .map(({ value }) => Date.parse(textAt(value, 'status', 'timestamp') ?? ''))
        .filter((time) => !Number.isNaN(time));
      if (times.some((time, index) => time < (times[index - 1] ?? 0)))
        fail('a status is older than the one before it', stream.exchange);
    },
  },
  {
    id: 'stream.nothing-after-terminal',
    async check(probe) {
      const { events, stream } = await probe.transcript();
      const end = events.findIndex((event) => TERMINAL.has(stateIn(event) ?? ''));
      if (end < 0) skip('no terminal state was streamed');
      const later = events.slice(end + 1).filter((event) => event.kind !== 'task');
      if (later.length > 0) fail(`${later.length} events came after the terminal state`, stream.exchange);
      const first = events.find((event) => event.kind === 'task');
      const taskId = textAt(first?.value, 'id');
      if (taskId === undefined) return;
      const answer = await probe.call('get', { taskId });
      const { state } = probe.bareTaskOf(answer);
      const shown = events.map(stateIn).findLast((one) => one !== undefined);
      if (shown !== undefined && TERMINAL.has(shown) && state !== shown)
        fail(`the task became ${state} after ${shown}`, answer.exchange);
    },
  },
  {
    id: 'stream.capability-off',
    async check(probe) {
      if (probe.server.capabilities.streaming) inapplicable('the card declares streaming');
      expectError(await refusalOf(await probe.stream('Hello')), 'UNSUPPORTED_OPERATION', 'METHOD_NOT_FOUND');
      const opened = await probe.open('subscribe', { taskId: 'no-such-task-4711' });
      expectError(await refusalOf(opened), 'UNSUPPORTED_OPERATION', 'METHOD_NOT_FOUND');
    },
  },
  {
    id: 'stream.one-payload',
    observed(probe) {
      probe.needStreaming();
      const events = [...seenFrames(probe)]
        .map(([frame, stream]) => [probe.payloadOf(frame), stream] as const)
        .filter(([event]) => event !== undefined && memberOf(event, 'error') === undefined);
      for (const [event, stream] of eachOf(events, 'event of a stream')) {
        const members = isObject(event) ? Object.keys(event) : [];
        if (members.length !== 1 || !PAYLOADS.includes(members[0] ?? ''))
          fail(`an event has the members ${members.join(', ')}`, stream.exchange);
        for (const { name, path } of valuesIn(event)) {
          if (name === 'final' || name === 'kind') fail(`there is ${path} in an event`, stream.exchange);
        }
      }
    },
  },
  {
    id: 'stream.update-ids',
    observed(probe) {
      probe.needStreaming();
      const updates = [...seenFrames(probe)]
        .map(([frame, stream]) => [probe.eventOf(frame), stream] as const)
        .filter(([{ kind }]) => kind === 'status' || kind === 'artifact');
      for (const [{ value }, stream] of eachOf(updates, 'update')) {
        if (!textAt(value, 'taskId') || !textAt(value, 'contextId'))
          fail('an update lacks taskId or contextId', stream.exchange);
      }
    },
  },
  {
    id: 'stream.chunks',
    async check(probe) {
      const { events, stream } = await probe.transcript();
      const updates = events.filter(({ kind }) => kind === 'artifact').map(({ value }) => value);
      if (updates.length === 0) skip('no artifact was streamed');
      const groups = Map.groupBy(updates, (update) => textAt(update, 'artifact', 'artifactId') ?? '');
      const taskId = textAt(updates[0], 'taskId') ?? '';
      const { artifacts = [] } = await probe.get(taskId);
      for (const [artifactId, chunks] of groups) {
        const [first, ...later] = chunks;
        if (memberOf(first, 'append') === true) fail('the first chunk of an artifact has append true', stream.exchange);
        if (later.length > 0 && memberOf(later.at(-1), 'lastChunk') !== true)
          fail('the last chunk has no lastChunk', stream.exchange);
        const whole = artifacts.find((artifact) => textAt(artifact, 'artifactId') === artifactId);
        if (textIn(whole) !== folded(chunks))
          fail('the chunks together are not the artifact of GetTask', stream.exchange);
      }
    },
  },
  {
    id: 'stream.text-joined',
    async check(probe) {
      const { events, stream } = await probe.transcriptOf(probe.script('chunk 5 8'));
      const taskId = textAt(events[0]?.value, 'id') ?? skip('no task was seen');
      const answer = await probe.call('get', { taskId });
      const [artifact] = probe.bareTaskOf(answer).artifacts ?? [];
      if (partsOf(artifact).length !== 1) fail('a streamed text has several parts', answer.exchange, stream.exchange);
    },
  },
  {
    id: 'stream.sse-type',
    async check(probe) {
      if (!probe.server.capabilities.streaming) inapplicable('the card declares no streaming');
      const opened = await probe.stream(await probe.promptFor('task'));
      const { exchange } = opened;
      if (opened instanceof LiveStream) opened.close();
      else if (opened.error !== undefined) streamOf(opened);
      if (exchange.got?.status !== 200) fail(`a stream has the status ${exchange.got?.status}`, exchange);
      if (mediaTypeOf(exchange) !== 'text/event-stream')
        fail(`a stream is ${mediaTypeOf(exchange) || 'of no type'}`, exchange);
    },
  },
  {
    id: 'stream.sse-one-line',
    observed(probe) {
      probe.needStreaming();
      for (const [{ lines }, stream] of eachOf(seenFrames(probe), 'event of a stream')) {
        const data = lines.filter((line) => line.startsWith('data:'));
        if (data.length !== 1 || !/^data: \S/.test(data[0] ?? ''))
          fail('an event is not one line with "data: "', stream.exchange);
      }
    },
  },
  {
    id: 'stream.error-before-accept',
    async check(probe) {
      probe.needStreaming();
      const unknown = { taskId: 'no-such-task-4711' };
      const plain = await probe.open('subscribe', unknown);
      if (plain instanceof LiveStream) fail('an error is a stream though JSON is accepted', plain.exchange);
      const opened = await probe.open('subscribe', { ...unknown, headers: { accept: 'text/event-stream' } });
      if (!(opened instanceof LiveStream))
        fail('an error is no event though only streams are accepted', opened.exchange);
      await probe.closes(opened);
      opened.close();
      const [frame] = opened.frames;
      if (opened.frames.length !== 1 || memberOf(frame?.json, 'error') === undefined)
        fail('the error is not a single event', opened.exchange);
    },
  },
  {
    id: 'stream.grpc-error',
    async check(probe) {
      probe.needStreaming();
      const opened = await probe.open('subscribe', { taskId: 'no-such-task-4711' });
      if (opened instanceof LiveStream) {
        await opened.find(() => true);
        await probe.closes(opened);
        opened.close();
        if (opened.frames.length > 0) fail('an error is a message of the stream and not its status', opened.exchange);
      }
      expectError(await refusalOf(opened), 'TASK_NOT_FOUND');
    },
  },
  {
    id: 'stream.input-required-closes',
    async check(probe) {
      probe.needStreaming();
      const { end, events, stream } = await probe.transcriptOf(await probe.promptFor('asking'));
      if (!events.some((event) => stateIn(event) === 'input-required')) skip('the agent did not ask');
      if (end !== 'ended') fail('the stream stays open after input-required', stream.exchange);
    },
  },
  {
    id: 'stream.auth-required-open',
    async check(probe) {
      probe.needStreaming();
      const stream = streamOf(await probe.stream(await probe.promptFor('authorizing')));
      const asked = await stream.find(probe.shows('auth-required'));
      const isClosed = await stream.ended(300);
      const taskId = textAt(probe.eventsOf(stream)[0]?.value, 'id');
      stream.close();
      if (taskId !== undefined) await probe.drop(taskId);
      if (asked === undefined) skip('the agent did not ask for an authorization');
      if (isClosed) fail('the stream was closed in auth-required', stream.exchange);
    },
  },
];

/** The text of chunks: one that is not appended replaces what was before it. */
function folded(chunks: readonly unknown[]): string {
  return chunks.reduce<string>((text, chunk) => {
    const own = textIn(memberOf(chunk, 'artifact'));
    return memberOf(chunk, 'append') === true ? text + own : own;
  }, '');
}
