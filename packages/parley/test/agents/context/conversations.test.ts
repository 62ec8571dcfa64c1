import {
  A2AServer,
  type A2AServerOptions,
  type Agent,
  complete,
  inputRequired,
  type Message,
  memory,
  reply,
  type Task,
  type TaskContext,
  textOf,
} from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { textOfTask } from '../../support/frames.ts';
import { otherCaller, sharedNodes } from '../../support/other-caller.ts';
import { RpcPeer, sendParams, startServer } from '../../support/rpc.ts';
import { agentOf, gate, hang } from '../../support/script.ts';
import { tempFile } from '../../support/temp-folder.ts';
import { lines, looking, seenBy, talk } from './looking.ts';

describe('task.context.messages (S1.8)', () => {
  const echo = agentOf(async function* (task) {
    if (task.text === 'look') return JSON.stringify(lines(await task.context.messages()));
    yield `Heard ${task.text}`;
    return task.text === 'bye' ? complete('Goodbye') : undefined;
  });

  it('gives what was said before in the context, oldest first', async () => {
    const { peer } = startServer(echo);
    expect(await seenBy(peer, 'look')).toEqual([]);
    await peer.send('hello', { contextId: 'another' });
    await peer.send('one', talk);
    await peer.send('bye', talk);
    expect(await seenBy(peer, 'look')).toEqual([
      'user: look',
      'agent: []',
      'user: one',
      'agent: Heard one',
      'user: bye',
      'agent: Heard bye',
      'agent: Goodbye',
    ]);
  });

  it('gives the talk inside of tasks, and can leave their results out', async () => {
    const agent = agentOf(async (task) => {
      if (task.text === 'look') return JSON.stringify(lines(await task.context.messages({ includeArtifacts: false })));
      return task.history.length === 0 ? inputRequired('Which?') : 'done';
    });
    const { peer } = startServer(agent);
    const { id } = await peer.send('go', talk);
    await peer.send('that one', { taskId: id });
    expect(await seenBy(peer, 'look')).toEqual(['user: go', 'agent: Which?', 'user: that one']);
  });

  it('gives this task as well where that is wanted', async () => {
    const agent = agentOf(async (task) => {
      if (task.history.length === 0 && task.text === 'ask') return inputRequired('Yes?');
      return JSON.stringify(lines(await task.context.messages({ includeCurrent: true })));
    });
    const { peer } = startServer(agent);
    await peer.send('first', talk);
    const { id } = await peer.send('ask', talk);
    expect(await seenBy(peer, 'look', { taskId: id })).toEqual([
      'user: first',
      'agent: ["user: first"]',
      'user: ask',
      'agent: Yes?',
      'user: look',
    ]);
  });

  it('gives the latest ones, and those before a task', async () => {
    const agent = agentOf(async (task) => {
      const [command, limit = '5', before] = task.text.split(' ');
      if (command !== 'look') return undefined;
      return JSON.stringify(lines(await task.context.messages({ limit: Number(limit), before })));
    });
    const { peer } = startServer(agent);
    const ids: string[] = [];
    for (let number = 1; number <= 45; number += 1) ids.push((await peer.send(`${number}`, talk)).id);
    expect(await seenBy(peer, 'look 3')).toEqual(['user: 43', 'user: 44', 'user: 45']);
    expect(await seenBy(peer, `look 2 ${ids[9]}`)).toEqual(['user: 8', 'user: 9']);
    const all = (await seenBy(peer, 'look 1000')) as string[];
    expect(all.slice(0, 45)).toEqual(ids.map((_, index) => `user: ${index + 1}`));
    expect(await seenBy(peer, 'look 5 unknown')).toEqual([]);
  });

  it('refuses a limit that is none', async () => {
    const agent = looking(async (task) => {
      const problem = task.context.messages({ limit: 0 }).catch((error: Error) => error.message);
      return (await problem) as string;
    });
    expect(await seenBy(startServer(agent).peer, 'look')).toContain('whole number');
  });

  it('gives nothing of other callers and other agents', async () => {
    const shared = sharedNodes();
    const look = async (task: TaskContext) => JSON.stringify(lines(await task.context.messages()));
    const agent = agentOf(look);
    const other = { ...agentOf(look), name: 'other' };
    const { peer } = startServer([agent, other], shared);
    const ann = await otherCaller(agent, shared);
    await ann.send('of ann', { contextId: 'talk of ann' });
    await peer.at('/a2a/agents/other').send('to another', talk);
    await peer.send('mine', talk);
    expect(await seenBy(peer, 'look')).toEqual(['user: mine', 'agent: []']);
    const seen = (await ann.send('look', { contextId: 'talk of ann' })) as Task;
    expect(JSON.parse(textOf(seen))).toEqual(['user: of ann', 'agent: []']);
  });

  it('does not make a task, and a bare reply leaves nothing behind', async () => {
    const agent = agentOf(async (task) => reply(`${(await task.context.messages()).length} before`));
    const { peer } = startServer(agent);
    expect((await peer.send('one', talk)).parts).toEqual([{ text: '0 before' }]);
    expect((await peer.send('two', talk)).parts).toEqual([{ text: '0 before' }]);
  });
});

describe('task.context.tasks', () => {
  it('gives the tasks before this one, with their artifacts', async () => {
    const agent = looking(async (task) => {
      const tasks = await task.context.tasks({ limit: 2 });
      return tasks.map((earlier) => [textOf(earlier.history[0] as Message), earlier.status.state, textOf(earlier)]);
    });
    const { peer } = startServer(agent);
    expect(await seenBy(peer, 'one')).toEqual([]);
    await seenBy(peer, 'two');
    const third = (await seenBy(peer, 'three')) as string[][];
    expect(third.map(([text, state]) => `${text} ${state}`)).toEqual(['one completed', 'two completed']);
    expect(third[0]?.[2]).toBe('[]');
    expect(((await seenBy(peer, 'four')) as string[][]).map(([text]) => text)).toEqual(['two', 'three']);
  });

  it('gives a task that still runs as it is, and none that came later', async () => {
    const begun = gate();
    const go = gate();
    const agent = agentOf(async function* (task) {
      if (task.text === 'long') {
        yield 'half';
        begun.resolve();
        await go.promise;
      }
      yield JSON.stringify((await task.context.tasks()).map((earlier) => [earlier.status.state, textOf(earlier)]));
    });
    const { peer } = startServer(agent);
    const long = peer.send('long', talk);
    await begun.promise;
    await eventually(() => seenBy(peer, 'look', talk)).toContainEqual(['working', 'half']);
    go.resolve();
    expect(textOfTask(await long)).toBe('half[]');
  });
});

describe('a conversation and runs that are lost', () => {
  const silent = { error: () => {}, warn: () => {} };
  const serverOn = (store: NonNullable<A2AServerOptions['store']>, agent: Agent) =>
    new RpcPeer(new A2AServer({ agents: [agent], store, log: silent }).fetch, 'http://talk.test/a2a');

  it('a resumed run sees what was set, and sets it only once', async () => {
    const store = memory();
    const reached = gate();
    const agent = (isLost: boolean) =>
      agentOf(
        async function* ({ context, signal }) {
          const count = ((await context.get<number>('count')) ?? 0) + 1;
          await context.set('count', count);
          yield `${count} `;
          if (isLost) {
            reached.resolve();
            await hang({ signal });
          }
          yield `${await context.get<number>('count')}`;
        },
        { resumable: true },
      );
    const before = serverOn(store, agent(true));
    const { task } = await before.call('SendMessage', sendParams('go', talk, { returnImmediately: true }));
    await reached.promise;
    const after = serverOn(store, agent(false));
    const state = async () => (await after.call('GetTask', { id: task.id })).status.state;
    await eventually(state).toBe('TASK_STATE_COMPLETED');
    expect(textOfTask(await after.call('GetTask', { id: task.id }))).toBe('1 1');
    expect(textOfTask(await after.send('again', talk))).toBe('2 2');
  });

  it('what was set by a run that failed is still there', async () => {
    const agent = agentOf(async ({ context, text }) => {
      if (text === 'look') return String(await context.get<string>('key'));
      await context.set('key', 'kept');
      throw new Error('broken');
    });
    const { peer } = startServer(agent);
    expect((await peer.send('go', talk)).status.state).toBe('TASK_STATE_FAILED');
    expect(textOfTask(await peer.send('look', talk))).toBe('kept');
  });

  it('a run that is over sets nothing', async () => {
    let late: Promise<unknown> | undefined;
    const ended = gate();
    const agent = agentOf(async ({ context, text }) => {
      if (text === 'look') return String(await context.get<string>('key'));
      late = ended.promise.then(() => context.set('key', 'late')).catch((error: Error) => error.message);
      return 'done';
    });
    const { peer } = startServer(agent);
    await peer.send('go', talk);
    ended.resolve();
    expect(await late).toContain('over');
    expect(textOfTask(await peer.send('look', talk))).toBe('undefined');
  });

  it('a set makes the task, so a reply after it completes it', async () => {
    const agent = agentOf(async ({ context }) => {
      await context.set('key', 1);
      return reply('done');
    });
    expect((await startServer(agent).peer.send('go', talk)).status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('task.context.isNamed', () => {
  const agent = agentOf((task) => inputRequired(String(task.context.isNamed)), { resumable: true });
  const said = ({ status }: { status: { message?: { parts: { text: string }[] } } }) => status.message?.parts[0]?.text;

  it('is false only where the caller named neither a context nor a task', async () => {
    const { peer } = startServer(agent);
    const opened = await peer.send('one');
    expect(said(opened)).toBe('false');
    expect(said(await peer.send('two', { taskId: opened.id }))).toBe('true');
    expect(said(await peer.send('three', { contextId: opened.contextId }))).toBe('true');
    expect(said(await peer.send('four', { contextId: 'new' }))).toBe('true');
  });

  it('is the same for a run that begins again', async () => {
    const file = tempFile();
    const seen: boolean[] = [];
    const slow = agentOf(
      (task) => {
        seen.push(task.context.isNamed);
        return hang(task);
      },
      { resumable: true },
    );
    const first = startServer(slow, { store: sqlite(file), drainTimeout: 0 });
    await first.peer.send('go', {}, { returnImmediately: true });
    await first.server.close();
    const { peer } = startServer(slow, { store: sqlite(file) });
    await peer.call('ListTasks', {});
    await eventually(() => seen).toEqual([false, false]);
  });
});
