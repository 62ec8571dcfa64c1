import { type Artifact, inputRequired, reply, type ServerHooks, type StreamEvent, text, textOf } from 'parley-a2a';
import type { EventInfo } from 'parley-a2a/types';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../client/support/recorded.ts';
import { matrix } from '../interop/support/rows.ts';
import { eventually } from '../support/eventually.ts';
import { startServer } from '../support/rpc.ts';
import { agentOf, gate } from '../support/script.ts';

const talking = () =>
  agentOf(async function* (task) {
    await task.status('thinking about a secret');
    yield 'one ';
    yield `secret ${task.text} `;
    yield 'three';
  });

/** Shows a text without the word that nobody may read; a chunk that has it is not shown at all. */
const redacted: ServerHooks = {
  transform(event) {
    if (event.kind === 'artifact') return textOf(event.artifact).includes('secret') ? undefined : event;
    if (event.kind === 'task') {
      const artifacts = event.task.artifacts.map((artifact) => without(artifact));
      return { kind: 'task', task: { ...event.task, artifacts } };
    }
    if (event.kind === 'message') return { ...event, message: { ...event.message, parts: [text('***')] } };
    return event;
  },
};

function without(artifact: Artifact): Artifact {
  return { ...artifact, parts: [text(textOf(artifact).replaceAll(/secret \w+ /g, ''))] };
}

describe('onEvent [seed:S0.18]', () => {
  function told(server: ReturnType<typeof startServer>['server']) {
    const events: { readonly event: StreamEvent; readonly info: EventInfo }[] = [];
    server.use({ onEvent: (event, info) => void events.push({ event, info }) });
    return events;
  }

  it('is told of everything that was committed, in order, with its place', async () => {
    const { server } = startServer(talking());
    const events = told(server);
    const { agent } = await clientOf(server);
    const task = await agent.sendMessageStream('word').task;
    const kinds = ['task', 'message', 'status', 'artifact', 'artifact', 'artifact'];
    expect(events.slice(0, 6).map(({ event }) => event.kind)).toEqual(kinds);
    expect(events.at(-1)?.event).toMatchObject({ kind: 'status', status: { state: 'completed' } });
    expect(events.every(({ info }) => info.taskId === task.id && info.agent === 'test')).toBe(true);
    const places = events.map(({ info }) => info.seq);
    expect(places).toEqual([...places].sort((one, other) => one - other));
    const log: StreamEvent[] = [];
    for await (const { text: _, ...event } of agent.subscribe(task.id, { lastEventId: 0 })) log.push(event);
    const updates = events.map(({ event }) => event).filter(({ kind }) => kind === 'status' || kind === 'artifact');
    // The client adds the text that an event brings; the log has none.
    const withoutText = log.map((event) => ({ ...event, text: undefined }));
    expect(JSON.parse(JSON.stringify(updates))).toEqual(JSON.parse(JSON.stringify(withoutText)));
  });

  it('is told after the commit: what it is told of can be asked for', async () => {
    const { server } = startServer(agentOf(() => 'done'));
    const { agent } = await clientOf(server);
    const states: string[] = [];
    server.use({
      async onEvent(event, { taskId }) {
        if (event.kind === 'status') states.push((await agent.getTask(taskId)).status.state);
      },
    });
    await agent.run('go');
    await eventually(() => states.at(-1)).toBe('completed');
  });

  it('breaks nothing with what it throws, at once or later', async () => {
    const { server, logged } = startServer(agentOf(() => 'done'));
    server.use({
      onEvent() {
        throw new Error('at once');
      },
    });
    server.use({ onEvent: async () => Promise.reject(new Error('later')) });
    const events = told(server);
    const { agent } = await clientOf(server);
    expect(await agent.run('go')).toBe('done');
    const failures = () => logged.map(({ details }) => details.error.message);
    await eventually(() => failures().filter((message) => message === 'later').length).toBe(events.length);
    expect(failures().filter((message) => message === 'at once')).toHaveLength(events.length);
  });

  it('holds nothing up, and is told of one event after the other', async () => {
    const open = gate();
    let most = 0;
    let now = 0;
    const seen: number[] = [];
    const { server } = startServer(talking());
    server.use({
      async onEvent(_event, { seq }) {
        now += 1;
        most = Math.max(most, now);
        await open.promise;
        now -= 1;
        seen.push(seq);
      },
    });
    const events = told(server);
    const { agent } = await clientOf(server);
    await agent.run('go');
    expect(seen).toEqual([]);
    open.resolve();
    await eventually(() => seen.length).toBe(events.length);
    expect(seen).toEqual(events.map(({ info }) => info.seq));
    expect(most).toBe(1);
  });

  it('leaves events out, and says so, where a handler is far too slow', async () => {
    const open = gate();
    const { server, logged } = startServer(
      agentOf(async function* () {
        for (let index = 0; index < 10_500; index += 1) yield 'x';
      }),
    );
    let seen = 0;
    server.use({
      async onEvent() {
        seen += 1;
        await open.promise;
      },
    });
    const events = told(server);
    const { agent } = await clientOf(server);
    await agent.run('go');
    expect(logged).toMatchObject([{ message: expect.stringContaining('too slow') }]);
    open.resolve();
    await eventually(() => logged.length).toBe(2);
    expect(seen).toBe(10_001);
    expect(logged[1]).toMatchObject({ details: { leftOut: events.length - seen } });
  });
});

matrix(({ version, binding }) => {
  it('transforms what readers are sent, not what is stored [seed:S0.18]', async () => {
    const { server } = startServer(talking());
    const stored: string[] = [];
    server.use(redacted).use({
      onEvent: (event) => void (event.kind === 'artifact' && stored.push(textOf(event.artifact))),
    });
    const { agent } = await clientOf(server, { prefer: { version, binding } });
    const stream = agent.sendMessageStream('word');
    const seen: StreamEvent[] = [];
    for await (const event of stream) seen.push(event);
    expect(JSON.stringify(seen.filter(({ kind }) => kind === 'artifact'))).not.toContain('word');
    const task = await stream.task;
    expect(textOf(task)).toBe('one three');
    expect(textOf(await agent.getTask(task.id))).toBe('one three');
    expect(await agent.sendMessage('word').then(textOf)).toBe('one three');
    // 0.3 has no list over HTTP+JSON.
    if (version === '1.0' || binding === 'JSONRPC') {
      const listed = await agent.listTasks({ includeArtifacts: true }).then(
        ({ tasks }) => tasks.map(textOf),
        () => [],
      );
      expect(listed.filter((words) => words !== 'one three')).toEqual([]);
    }
    expect(stored.join('')).toContain('one secret word three');
    const again: StreamEvent[] = [];
    for await (const event of agent.subscribe(task.id, { lastEventId: 0 })) again.push(event);
    expect(again).toEqual(seen.filter(({ kind }) => kind !== 'task'));
  });
});

describe('transform', () => {
  it('is asked for bare messages, in streams and elsewhere', async () => {
    const { server } = startServer(agentOf(() => reply('Hi')));
    server.use(redacted);
    const { agent } = await clientOf(server);
    expect(textOf(await agent.sendMessage('go'))).toBe('***');
    expect(textOf(await agent.sendMessageStream('go').result)).toBe('***');
  });

  it('knows what it is asked about', async () => {
    const infos: unknown[] = [];
    const { server } = startServer(agentOf(() => 'done'));
    server.use({
      transform(event, info) {
        infos.push([event.kind, info]);
        return event;
      },
    });
    const { agent } = await clientOf(server);
    const { id: taskId, contextId } = await agent.sendMessageStream('go').task;
    await agent.getTask(taskId);
    const at = (seq: unknown) => ({ agent: 'test', taskId, contextId, seq });
    expect(infos[0]).toEqual(['task', at(expect.any(Number))]);
    expect(infos.at(-1)).toEqual(['task', at(undefined)]);
  });

  it('comes one after the other', async () => {
    const { server } = startServer(agentOf(() => reply('a')));
    const adding = (letter: string): ServerHooks => ({
      transform: (event) =>
        event.kind === 'message'
          ? { ...event, message: { ...event.message, parts: [text(textOf(event.message) + letter)] } }
          : event,
    });
    server.use(adding('b')).use(adding('c'));
    const { agent } = await clientOf(server);
    expect(textOf(await agent.sendMessage('go'))).toBe('abc');
  });

  it.for<[string, NonNullable<ServerHooks['transform']>]>([
    ['throws', () => expect.unreachable()],
    ['leaves out the end of a turn', (event) => (event.kind === 'status' ? undefined : event)],
    [
      'changes a state',
      (event) => (event.kind === 'status' ? { ...event, status: { ...event.status, state: 'failed' } } : event),
    ],
    ['changes a kind', (event) => (event.kind === 'status' ? ({ ...event, kind: 'artifact' } as never) : event)],
    ['is async', (event) => (event.kind === 'status' ? (Promise.reject(new Error('No')) as never) : event)],
    ['changes an id', (event) => (event.kind === 'status' ? { ...event, taskId: 'another' } : event)],
  ])('sends nothing of an event where it %s', async ([, transform]) => {
    const { server, logged } = startServer(agentOf(() => inputRequired('secret')));
    server.use({ transform });
    const { agent, sent } = await clientOf(server, { reconnect: false, retry: false });
    await expect(agent.sendMessageStream('go').task).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(sent).toHaveLength(2);
    expect(logged.length).toBeGreaterThan(0);
  });

  it('must be there before the first request', async () => {
    const { server } = startServer(agentOf(() => 'done'));
    const { agent } = await clientOf(server);
    expect(() => server.use(redacted)).toThrow('before the first request');
    server.use({ onEvent: () => {} });
    expect(await agent.run('go')).toBe('done');
  });
});
