import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import type { EngineLimits } from '../../src/engine/limits.ts';
import type { TaskEvent } from '../../src/engine/log/events.ts';
import { TaskFold } from '../../src/engine/log/task-fold.ts';
import type { Store } from '../../src/engine/ports.ts';
import type { Subscription } from '../../src/engine/read/subscription.ts';
import { A2AError } from '../../src/model/errors/errors.ts';
import { textOf } from '../../src/model/parts.ts';
import { isTerminal, type TaskState } from '../../src/model/states.ts';
import { isTask, type Task } from '../../src/model/task.ts';
import { sqlite } from '../../src/sqlite.ts';
import { memory } from '../../src/stores/memory.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { countOf } from '../support/full.ts';
import { engineOn, Puppeteer, SCOPE, sendCall, settle, userMessage } from './support/puppet.ts';

/** What the engine should know of a task, kept in the simplest way. */
interface Model {
  readonly id: string;
  state: TaskState;
  /** The run is in memory: working, or waiting for an answer. */
  run: 'none' | 'working' | 'asking' | 'lost';
  readonly artifacts: Map<string, string>;
  readonly said: string[];
  unread: number;
}

/** A reader and everything that it was given. */
interface Reader {
  readonly task: number;
  subscription: Subscription;
  snapshot: Task | undefined;
  /** The seq that it started from. */
  from: number;
  readonly events: TaskEvent[];
  /** The stream came to its end, rather than that the reader left. */
  ended: boolean;
  left: boolean;
}

const operations = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const) }) },
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('chunk' as const),
        task: fc.nat(3),
        artifact: fc.constantFrom('a', 'b', 'c'),
        size: fc.integer({ min: 1, max: 40 }),
        last: fc.boolean(),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('status' as const), task: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('ask' as const), task: fc.nat(3) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('message' as const), task: fc.nat(3) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('end' as const),
        task: fc.nat(3),
        state: fc.constantFrom('completed', 'input-required', 'auth-required', 'rejected', 'reply', 'throw'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), task: fc.nat(3) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('subscribe' as const), task: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('leave' as const), reader: fc.nat(5) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('resume' as const), reader: fc.nat(5) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  ),
  { minLength: 15, maxLength: 60, size: 'max' },
);

type Operation = typeof operations extends fc.Arbitrary<(infer Item)[]> ? Item : never;

/** The engine and its model side by side. */
class World {
  readonly store: Store;
  readonly puppets = new Puppeteer();
  engine: Engine;
  readonly models: Model[] = [];
  readonly readers: Reader[] = [];

  readonly limits: Partial<EngineLimits>;

  /** With little room for recent events, readers must go to the store. */
  constructor(store: Store, recentBytes: number) {
    this.store = survivor(store);
    this.limits = { recentBytes };
    this.engine = engineOn(this.store, this.puppets, { limits: this.limits });
  }

  async perform(operation: Operation): Promise<void> {
    switch (operation.do) {
      case 'create':
        return this.create();
      case 'subscribe':
        return this.subscribe(operation.task);
      case 'leave':
        return this.leave(operation.reader);
      case 'resume':
        return this.resume(operation.reader);
      case 'restart':
        return this.restart();
      case 'chunk':
      case 'status':
      case 'ask':
      case 'message':
      case 'end':
      case 'cancel': {
        const model = this.models[operation.task];
        if (model) await this.act(model, operation);
      }
    }
  }

  async create(): Promise<void> {
    if (this.models.length >= 4) return;
    const message = userMessage(`hello ${this.models.length}`);
    const task = await this.engine.send(sendCall(message));
    if (!isTask(task)) throw new Error('A task was expected');
    const said = [textOf(message)];
    this.models.push({ id: task.id, state: 'working', run: 'working', artifacts: new Map(), said, unread: 0 });
  }

  async act(model: Model, operation: Operation): Promise<void> {
    const working = model.run === 'working';
    if (operation.do === 'chunk' && working) {
      const text = operation.artifact.repeat(operation.size);
      const parts = [{ kind: 'text', text } as const];
      const { artifact: artifactId, last: lastChunk } = operation;
      void this.puppets.of(model.id).handle.output.chunk({ artifactId, parts, lastChunk, streamed: true });
      model.artifacts.set(artifactId, (model.artifacts.get(artifactId) ?? '') + text);
    }
    if (operation.do === 'status' && working) {
      const text = `status ${model.said.length}`;
      void this.puppets.of(model.id).handle.output.status({ parts: [{ kind: 'text', text }] });
      model.said.push(text);
    }
    if (operation.do === 'ask' && working) this.ask(model);
    if (operation.do === 'end' && working) this.end(model, operation.state);
    if (operation.do === 'message') await this.message(model);
    if (operation.do === 'cancel') await this.cancel(model);
  }

  ask(model: Model): void {
    const text = `question ${model.said.length}`;
    const answer = this.puppets
      .of(model.id)
      .handle.questions.ask({ parts: [{ kind: 'text', text }] }, 'input-required');
    answer.catch(() => {});
    model.said.push(text);
    // A message that waits unread is the answer.
    if (model.unread > 0) model.unread -= 1;
    else Object.assign(model, { run: 'asking', state: 'input-required' });
  }

  end(model: Model, state: 'completed' | 'input-required' | 'auth-required' | 'rejected' | 'reply' | 'throw'): void {
    const puppet = this.puppets.of(model.id);
    if (state === 'throw') {
      puppet.fail(new Error('inner'));
      model.said.push('*');
      Object.assign(model, { run: 'none', state: 'failed' });
      return;
    }
    const text = `end ${model.said.length}`;
    puppet.end({ state, message: { parts: [{ kind: 'text', text }] } });
    model.said.push(text);
    const interrupted = state === 'input-required' || state === 'auth-required';
    if (interrupted && model.unread > 0) {
      model.unread -= 1;
      return;
    }
    Object.assign(model, { run: 'none', state: state === 'reply' ? 'completed' : state });
  }

  async message(model: Model): Promise<void> {
    const message = userMessage(`message ${model.said.length}`, { taskId: model.id });
    const sending = this.engine.send(sendCall(message));
    if (isTerminal(model.state)) {
      await expect(sending).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' });
      return;
    }
    await sending;
    // A credential is no part of what was said.
    if (model.state !== 'auth-required') model.said.push(textOf(message));
    if (model.run === 'lost') {
      model.said.push('*');
      Object.assign(model, { run: 'none', state: 'failed' });
    } else if (model.run === 'working') model.unread += 1;
    else Object.assign(model, { run: 'working', state: 'working' });
  }

  async cancel(model: Model): Promise<void> {
    const canceling = this.engine.cancel(SCOPE, { id: model.id });
    if (isTerminal(model.state)) {
      await expect(canceling).rejects.toMatchObject({ code: 'TASK_NOT_CANCELABLE' });
      return;
    }
    expect((await canceling).status.state).toBe('canceled');
    Object.assign(model, { run: 'none', state: 'canceled' });
  }

  async subscribe(task: number): Promise<void> {
    const model = this.models[task];
    if (!model || this.readers.length >= 6) return;
    const opening = this.engine.subscribe(SCOPE, model.id);
    if (isTerminal(model.state)) {
      await expect(opening).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' });
      return;
    }
    const subscription = await opening;
    const reader: Reader = { task, subscription, snapshot: undefined, from: 0, events: [], ended: false, left: false };
    this.readers.push(reader);
    this.pump(reader);
  }

  /** Reads for as long as there is something, like a client that is never slow. */
  pump(reader: Reader): void {
    const { subscription } = reader;
    const read = async () => {
      for await (const { snapshot, events } of subscription) {
        if (snapshot) {
          reader.snapshot = snapshot.task;
          reader.from = snapshot.seq;
        }
        reader.events.push(...events.records.map((record) => record.event));
      }
      if (reader.subscription === subscription && !reader.left) reader.ended = true;
    };
    read().catch(() => {});
  }

  async leave(index: number): Promise<void> {
    const reader = this.readers[index];
    if (!reader) return;
    reader.left = true;
    await reader.subscription.return();
  }

  /** Comes back with the last seq that was seen, as a client does after a lost connection. */
  async resume(index: number): Promise<void> {
    const reader = this.readers[index];
    const model = reader && this.models[reader.task];
    if (!reader || !model) return;
    reader.left = true;
    await reader.subscription.return();
    reader.left = false;
    const seen = reader.events.at(-1)?.seq ?? reader.from;
    try {
      reader.subscription = await this.engine.subscribe(SCOPE, model.id, { after: seen });
      reader.ended = false;
      this.pump(reader);
    } catch (error) {
      // Nothing is left to read of a task that has ended.
      expect(A2AError.from(error).code).toBe('UNSUPPORTED_OPERATION');
      expect(isTerminal(model.state)).toBe(true);
      reader.ended = true;
    }
  }

  /** The process dies and a new one opens the same store. */
  async restart(): Promise<void> {
    await settle();
    this.engine = engineOn(this.store, this.puppets, { limits: this.limits });
    await this.engine.open();
    for (const model of this.models) {
      if (model.run === 'asking') model.run = 'lost';
      if (model.run !== 'working') continue;
      model.said.push('*');
      Object.assign(model, { run: 'none', state: 'failed' });
    }
  }

  async check(): Promise<void> {
    for (const model of this.models) {
      const task = await this.engine.get(SCOPE, { id: model.id });
      expect(task.status.state).toBe(model.state);
      const texts = Object.fromEntries(task.artifacts.map((artifact) => [artifact.artifactId, textOf(artifact)]));
      expect(texts).toEqual(Object.fromEntries(model.artifacts));
      const said = [...task.history, ...(task.status.message ? [task.status.message] : [])].map(textOf);
      const expected = model.said.map((text, index) => (text === '*' ? (said[index] ?? '') : text));
      expect(said.toSorted(byText)).toEqual(expected.toSorted(byText));
      const log = await this.store.read(model.id, 0, { events: 1e6, bytes: 1e9 });
      const folded = new TaskFold(task.id, task.contextId);
      for (const event of log) folded.apply(event);
      expect(folded.snapshot()).toEqual(task);
    }
  }

  /** Every reader has its snapshot and then exactly the log, without gap or repetition. */
  async checkReaders(): Promise<void> {
    for (const reader of this.readers) {
      const model = this.models[reader.task];
      if (!model || reader.from === 0) continue;
      const log = await this.store.read(model.id, 0, { events: 1e6, bytes: 1e9 });
      const last = reader.events.at(-1)?.seq ?? reader.from;
      expect(reader.events).toEqual(log.slice(reader.from, last));
      if (reader.ended && isTerminal(model.state)) expect(last).toBe(log.length);
      const folded = new TaskFold(model.id, '');
      for (const event of log.slice(0, reader.from)) folded.apply(event);
      expect(reader.snapshot?.artifacts).toEqual(folded.snapshot().artifacts);
      expect(reader.snapshot?.history).toEqual(folded.snapshot().history);
    }
  }
}

/** A store that outlives its engines: a new one finds it open. */
function survivor(store: Store): Store {
  let opened: Promise<void> | undefined;
  const open = () => {
    opened ??= Promise.resolve(store.open());
    return opened;
  };
  return withStore(store, { open });
}

const byText = (one: string, other: string) => one.localeCompare(other);

describe.each([
  ['memory', () => memory()],
  ['SQLite', () => sqlite(':memory:')],
])('the engine on %s against a simple model', (_, makeStore) => {
  it('agrees after any operations, with readers that come and go, and restarts', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        operations,
        fc.constantFrom(1, 700, 100_000),
        fc.boolean(),
        async (steps, recentBytes, burst) => {
          const world = new World(makeStore(), recentBytes);
          await world.engine.open();
          await world.create();
          for (const step of steps) {
            await world.perform(step);
            if (step.do === 'chunk' && burst) continue;
            await settle();
            await world.check();
          }
          await settle();
          await world.check();
          await world.checkReaders();
        },
      ),
      { numRuns: countOf(150, 1_500) },
    );
  });
});
