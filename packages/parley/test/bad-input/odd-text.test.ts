import { type A2AServerOptions, memory } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it } from 'vitest';
import { sendParams, type Wire } from '../support/rpc.ts';
import { tempFile } from '../support/temp-folder.ts';
import { type Subject, startSubject } from './support/subject.ts';

type Store = NonNullable<A2AServerOptions['store']>;

const STORES: readonly { readonly name: string; readonly open: () => Store }[] = [
  { name: 'memory', open: () => memory() },
  { name: 'sqlite', open: () => sqlite(tempFile()) },
];

/** Texts that JSON can carry and that have broken stores, streams and headers elsewhere. */
const ODD: readonly (readonly [string, string])[] = [
  ['a NUL', '\u0000'],
  ['a NUL in the middle', 'before\u0000after'],
  ['all control characters', String.fromCharCode(...Array.from({ length: 32 }, (_, code) => code), 127, 128, 159)],
  ['the first half of a character', 'a\ud83d'],
  ['the second half of a character', '\ude00b'],
  ['halves in the wrong order', '\ude00\ud83d'],
  ['line ends of all kinds', 'a\nb\rc\r\nd\u0085e\u2028f\u2029g'],
  ['an event of its own', '\n\ndata: {"jsonrpc":"2.0"}\n\nevent: error\n\n'],
  ['a byte order mark', '\ufeffx'],
  ['what is no character', '\uffff\ufffe\ufdd0'],
  ['a replacement character', '\ufffd'],
  ['text from right to left', '\u202eevil\u202c'],
  ['a character that can be written in two ways', 'é e\u0301'],
  ['SQL', "'; DROP TABLE tasks; --"],
  ['JSON', '"}],"injected":[{"'],
  ['a name of every object', '__proto__'],
  ['a text as long as an id may be', 'x'.repeat(1023)],
];

function expectNamedFields(error: Wire): void {
  expect(error.code).toBe(-32602);
  expect(error.data.flatMap((detail: Wire) => detail.fieldViolations ?? []).length).toBeGreaterThan(0);
}

/** Sends a message that has the text wherever it can, and looks at it in every way that there is. */
async function expectKept({ peer }: Subject, odd: string): Promise<void> {
  const message = {
    messageId: odd,
    contextId: odd,
    referenceTaskIds: [odd],
    extensions: [odd],
    metadata: { [`k${odd}`]: odd },
    parts: [{ text: odd, filename: odd }, { data: { [`d${odd}`]: [odd] } }, { url: odd }],
  };
  const answer = await peer.respond('SendMessage', sendParams('', message));
  if (answer.error) {
    // Half a character is no text that every store and binding can carry: it may be refused, but never changed.
    expect(odd.isWellFormed()).toBe(false);
    expectNamedFields(answer.error);
    return;
  }
  const { task } = answer.result;
  expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  expect(task.contextId).toBe(odd);
  expect(task.history[0]).toMatchObject(message);
  expect(task.artifacts[0].parts).toEqual(message.parts);

  expect(await peer.call('GetTask', { id: task.id })).toEqual(task);
  const page = await peer.call('ListTasks', { contextId: odd, includeArtifacts: true });
  expect(page).toMatchObject({ totalSize: 1, tasks: [task] });
  expect((await peer.call('ListTasks', { contextId: `${odd}y` })).totalSize).toBe(0);

  const frames = await peer.stream('SendStreamingMessage', sendParams('', message));
  expect(frames[0]?.result.task.contextId).toBe(odd);
  const update: Wire = frames.find((frame) => frame.result.artifactUpdate)?.result.artifactUpdate;
  expect(update.contextId).toBe(odd);
  expect(update.artifact.parts).toEqual(message.parts);
  expect((await peer.call('ListTasks', { contextId: odd })).totalSize).toBe(2);
}

/** A send with the text is joined by the same send again, and by no other. */
async function expectIdempotent({ peer, runs }: Subject, odd: string, key: string): Promise<void> {
  const before = runs();
  const headers = { 'idempotency-key': key };
  const send = (text: string) =>
    peer.respond('SendMessage', sendParams('', { messageId: 'm-1', parts: [{ text }] }), headers);
  const first = await send(odd);
  if (first.error) expectNamedFields(first.error);
  else expect((await send(odd)).result.task.id).toBe(first.result.task.id);
  if (!first.error) expectNamedFields((await send(`${odd}!`)).error);
  expect(runs() - before).toBe(first.error ? 0 : 1);
}

describe.each(STORES)('with $name', ({ open }) => {
  const forEach = async (check: (odd: string, name: string) => Promise<void>) => {
    for (const [name, odd] of ODD) {
      await check(odd, name).catch((cause: unknown) => {
        throw new Error(`with ${name}`, { cause });
      });
    }
  };

  it('odd text is kept as it is, in texts, names and ids [rule:parts.values] [rule:json.metadata]', async () => {
    const subject = startSubject({ store: open() });
    await forEach((odd) => expectKept(subject, odd));
    await subject.expectHealthy();
  });

  it('an idempotent send may contain odd text, and is told from others', async () => {
    const subject = startSubject({ store: open() });
    await forEach((odd, name) => expectIdempotent(subject, odd, name));
    await subject.expectHealthy();
  });

  it('contexts that differ in half a character are not mixed up', async () => {
    const { peer } = startSubject({ store: open() });
    for (const contextId of ['\ufffd', '\ud800', '\ud801']) {
      const sent = await peer.respond('SendMessage', sendParams('x', { contextId }));
      const listed = await peer.respond('ListTasks', { contextId });
      if (sent.error) expectNamedFields(sent.error);
      else expect(listed.result.totalSize, JSON.stringify(contextId)).toBe(1);
    }
    expect((await peer.call('ListTasks', { contextId: '\ufffd' })).totalSize).toBe(1);
  });
});

it.each(ODD)('a JSON-RPC id that is %s comes back [rule:jsonrpc.id]', async (_, odd) => {
  const { peer } = startSubject();
  const ask = async (method: string, params: unknown) =>
    (await peer.post(JSON.stringify({ jsonrpc: '2.0', id: odd, method, params }), { 'a2a-version': '1.0' })).text();
  expect(JSON.parse(await ask('ListTasks', {})).id).toBe(odd);
  expect(JSON.parse(await ask('GetTask', {})).id).toBe(odd);
  const stream = await ask('SendStreamingMessage', sendParams(odd));
  const events = stream.split('\n\n').slice(0, -1);
  expect(events.length).toBeGreaterThanOrEqual(3);
  for (const event of events) {
    const [id, data, ...more] = event.split('\n');
    expect(more).toEqual([]);
    expect(id).toMatch(/^id: \d+$/);
    expect(JSON.parse(data?.slice('data: '.length) ?? '').id).toBe(odd);
  }
});
