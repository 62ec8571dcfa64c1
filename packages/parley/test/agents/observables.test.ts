import {
  complete,
  inputRequired,
  json,
  type Outcome,
  type Output,
  reject,
  type StreamEvent,
  textOf,
  toObservable,
} from 'parley-a2a';
import type { EventObservable, ObservableLike, ObserverLike } from 'parley-a2a/types';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { clientOf } from '../client/support/recorded.ts';
import { TestObservable } from '../support/agents/observable.ts';
import { eventually } from '../support/eventually.ts';
import { textOfTask } from '../support/frames.ts';
import { sendParams, startServer } from '../support/rpc.ts';
import { agentOf, gate, hang } from '../support/script.ts';
import { storeWith } from '../support/stores/store-with.ts';

describe('a run that is an observable [seed:S0.16]', () => {
  const timed = (values: readonly Output[]) =>
    new TestObservable<Output>((observer) => {
      let next = 0;
      const timer = setInterval(() => {
        const value = values[next];
        next += 1;
        if (value === undefined) observer.complete();
        else observer.next(value);
      }, 1);
      return () => clearInterval(timer);
    });

  it('streams what it emits, and completes with it', async () => {
    const { peer } = startServer(agentOf(() => timed(['one ', 'two ', json({ three: 3 })])));
    const frames = await peer.stream('SendStreamingMessage', sendParams('go'));
    const chunks = frames.flatMap(({ result }) => result.artifactUpdate?.artifact.parts ?? []);
    expect(chunks.slice(0, 3)).toMatchObject([{ text: 'one ' }, { text: 'two ' }, { data: { three: 3 } }]);
    expect(frames.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('may emit everything at once, and may come out of an async function', async () => {
    const { peer } = startServer(agentOf(async () => TestObservable.of('a', 'b', 'c')));
    const task = await peer.send('go');
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(textOfTask(task)).toBe('abc');
  });

  it('may be known by its symbol alone, as those of other libraries are', async () => {
    const interop = { '@@observable': () => TestObservable.of('x', 'y') };
    const { peer } = startServer(agentOf(() => interop as unknown as ObservableLike<string>));
    expect(textOfTask(await peer.send('go'))).toBe('xy');
  });

  it('may be stopped by a signal instead of a subscription', async () => {
    let isStopped = false;
    const platform = {
      subscribe(observer: ObserverLike<string | Outcome>, options?: { signal: AbortSignal }) {
        options?.signal.addEventListener('abort', () => {
          isStopped = true;
        });
        setImmediate(() => {
          observer.next('x');
          observer.next(complete('Enough'));
        });
      },
    };
    const { peer } = startServer(agentOf(() => platform));
    expect((await peer.send('go')).status.message.parts).toMatchObject([{ text: 'Enough' }]);
    expect(isStopped).toBe(true);
  });

  it('ends with an outcome that it emits, and is unsubscribed from', async () => {
    let stopped = 0;
    const { peer } = startServer(
      agentOf(
        () =>
          new TestObservable<Output | Outcome>((observer) => {
            observer.next('so far ');
            observer.next(inputRequired('Which?'));
            observer.next('too late');
            return () => {
              stopped += 1;
            };
          }),
      ),
    );
    const task = await peer.send('go');
    expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(textOfTask(task)).toBe('so far ');
    expect(stopped).toBe(1);
  });

  it('fails with its error, or rejects', async () => {
    const failing = (error: unknown) =>
      new TestObservable<string>((observer) => {
        observer.next('half');
        observer.error(error);
      });
    const { peer, logged } = startServer(
      agentOf((task) => failing(task.text === 'no' ? reject('No') : new Error('x'))),
    );
    const failed = await peer.send('go');
    expect(failed.status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { metadata: { reason: 'agent-error' } },
    });
    expect(textOfTask(failed)).toBe('half');
    expect(logged).toMatchObject([{ details: { error: { message: 'x' } } }]);
    expect((await peer.send('no')).status.state).toBe('TASK_STATE_REJECTED');
  });

  it('fails where it emits what is no output, or cannot be subscribed to', async () => {
    const wrong = TestObservable.of({ kind: 'odd' }) as unknown as ObservableLike<string>;
    const broken: ObservableLike<string> = {
      subscribe() {
        throw new Error('broken');
      },
    };
    const { peer } = startServer(agentOf((task) => (task.text === 'wrong' ? wrong : broken)));
    for (const [text, reason] of [
      ['wrong', 'invalid-agent-response'],
      ['broken', 'agent-error'],
    ] as const) {
      expect((await peer.send(text)).status.message.metadata.reason).toBe(reason);
    }
  });

  it('is unsubscribed from at once when the task is canceled', async () => {
    const subscribed = gate();
    let stopped = false;
    const { peer } = startServer(
      agentOf(
        () =>
          new TestObservable<string>((observer) => {
            observer.next('one');
            subscribed.resolve();
            return () => {
              stopped = true;
            };
          }),
      ),
    );
    const { task } = await peer.call('SendMessage', sendParams('go', {}, { returnImmediately: true }));
    await subscribed.promise;
    const canceled = await peer.call('CancelTask', { id: task.id });
    expect(canceled.status.state).toBe('TASK_STATE_CANCELED');
    expect(stopped).toBe(true);
  });

  it('is held while the store is behind, in its order, and fails beyond the limit', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `${index} `);
    const { peer } = startServer(agentOf(() => TestObservable.of(...many)));
    expect(textOfTask(await peer.send('go'))).toBe(many.join(''));

    const limited = startServer(
      agentOf(() => TestObservable.of(...many)),
      { limits: { bufferedOutputs: 100, pendingEvents: 10 } },
    );
    const failed = await limited.peer.send('go');
    expect(failed.status.state).toBe('TASK_STATE_FAILED');
    expect(limited.logged).toMatchObject([
      { details: { error: { message: expect.stringContaining('more than 100') } } },
    ]);
    expect(limited.logged[0].details.error.message).toContain('limits.bufferedOutputs');
  });

  it('writes what was held before it ends with an outcome', async () => {
    const open = gate();
    const store = storeWith((inner) => ({
      commit: async (entries) => {
        await open.promise;
        return inner.commit(entries);
      },
    }));
    const words = Array.from({ length: 50 }, (_, index) => `${index} `);
    const { peer } = startServer(
      agentOf(() => TestObservable.of<Output | Outcome>(...words, complete('Done'))),
      { store, limits: { pendingEvents: 4 } },
    );
    const sent = peer.send('go');
    open.resolve();
    const task = await sent;
    expect(task.status.message.parts).toMatchObject([{ text: 'Done' }]);
    expect(textOfTask(task)).toBe(words.join(''));
  });

  it('waits for the store where it is an async iterable as well', async () => {
    let ahead = 0;
    const source = {
      subscribe: () => expect.unreachable(),
      async *[Symbol.asyncIterator]() {
        for (; ahead < 100; ahead += 1) yield `${ahead} `;
      },
    };
    const { peer } = startServer(
      agentOf(() => source),
      { limits: { bufferedOutputs: 0, pendingEvents: 4 } },
    );
    expect((await peer.send('go')).status.state).toBe('TASK_STATE_COMPLETED');
    expect(ahead).toBe(100);
  });
});

describe('toObservable', () => {
  const counting = () =>
    agentOf(async function* () {
      for (const piece of ['one ', 'two ', 'three']) yield piece;
    });

  const collected = (observable: EventObservable) =>
    new Promise<readonly StreamEvent[]>((resolve, fail) => {
      const events: StreamEvent[] = [];
      observable.subscribe({
        next: (event) => void events.push(event),
        error: fail,
        complete: () => resolve(events),
      });
    });

  it('gives the events of a stream, then completes', async () => {
    const { server } = startServer(counting());
    const { agent } = await clientOf(server);
    const stream = agent.sendMessageStream('go');
    const events = await collected(toObservable(stream));
    expect(events[0]?.kind).toBe('task');
    expect(events.at(-1)).toMatchObject({ status: { state: 'completed' } });
    expect(textOf(await stream.task)).toBe('one two three');
  });

  it('sends once for each subscription where it is given a function', async () => {
    const { server } = startServer(counting());
    const { agent, sent } = await clientOf(server);
    const observable = toObservable(() => agent.sendMessageStream('go'));
    expect(sent).toHaveLength(1);
    const [one, other] = await Promise.all([collected(observable), collected(observable)]);
    expect(one.map(({ kind }) => kind)).toEqual(other.map(({ kind }) => kind));
    expect(sent).toHaveLength(3);
  });

  it('closes the connection when it is unsubscribed from, and says nothing more', async () => {
    const { server } = startServer(agentOf(hang));
    const { agent } = await clientOf(server);
    const seen: string[] = [];
    const begun = gate();
    const subscription = toObservable(agent.sendMessageStream('go')).subscribe({
      next: (event) => {
        seen.push(event.kind);
        begun.resolve();
      },
      error: () => seen.push('error'),
      complete: () => seen.push('complete'),
    });
    await begun.promise;
    expect(server.load.subscriptions).toBe(1);
    const before = [...seen];
    subscription.unsubscribe();
    expect(subscription.closed).toBe(true);
    await eventually(() => server.load.subscriptions).toBe(0);
    expect(seen).toEqual(before);
  });

  it('hands on an error', async () => {
    const failure = new Error('lost');
    const failing: AsyncIterable<StreamEvent> = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(failure) }),
    };
    await expect(collected(toObservable(failing))).rejects.toBe(failure);
  });

  it('may be what an agent returns: another agent, observed', async () => {
    const { server } = startServer(counting());
    const { agent } = await clientOf(server);
    const texts = (source: EventObservable) =>
      new TestObservable<string>((observer) => {
        const subscription = source.subscribe({
          next: (event) => event.kind === 'artifact' && observer.next(textOf(event.artifact).toUpperCase()),
          error: observer.error,
          complete: observer.complete,
        });
        return () => subscription.unsubscribe();
      });
    const { peer } = startServer(agentOf(() => texts(toObservable(() => agent.sendMessageStream('go')))));
    expect(textOfTask(await peer.send('go'))).toBe('ONE TWO THREE');
  });

  it('is an observable to libraries, by type and by symbol', () => {
    // The shapes that RxJS takes for `from`, and what it finds out about them.
    type Input<Value> =
      | AsyncIterable<Value>
      | { subscribe(observer: Partial<ObserverLike<Value>>): { unsubscribe(): void } };
    const from = <Value>(input: Input<Value>): Value => input as unknown as Value;
    const observable = toObservable(() => TestIterable);
    expectTypeOf(from(observable)).toEqualTypeOf<StreamEvent>();
    expect(observable['@@observable']()).toBe(observable);
    const symbol = Symbol('observable');
    Object.defineProperty(Symbol, 'observable', { value: symbol, configurable: true });
    try {
      const interop = toObservable(() => TestIterable) as unknown as Record<symbol, () => unknown>;
      expect(interop[symbol]?.()).toBe(interop);
    } finally {
      Reflect.deleteProperty(Symbol, 'observable');
    }
  });
});

const TestIterable: AsyncIterable<StreamEvent> = (async function* () {})();
