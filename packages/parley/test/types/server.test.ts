import {
  A2AServer,
  type A2AServerOptions,
  defineAgent,
  isA2AError,
  memory,
  type ServerLimits,
  serve,
} from 'parley-a2a';
import { type SqliteOptions, StoreError, sqlite } from 'parley-a2a/sqlite';
import { describe, expectTypeOf, it } from 'vitest';
import { compiles } from './compiles.ts';

const hello = defineAgent({ name: 'hello', description: 'Greets', version: '1.0.0', run: () => 'Hello' });
const skilled = defineAgent({
  name: 'skilled',
  description: 'Knows one thing',
  version: '1.0.0',
  skills: [{ id: 'thing', name: 'Thing', description: 'The thing', tags: ['test'] }],
  run: (task) => task.skill ?? '',
});

describe('A2AServer', () => {
  it('takes agents as a list or by name', () => {
    new A2AServer({ agents: [hello, skilled] });
    new A2AServer({ agents: { first: hello, second: skilled }, default: 'second' });
    const fixed: readonly [typeof hello, typeof skilled] = [hello, skilled];
    new A2AServer({ agents: fixed });
  });

  it('takes nothing else', () => {
    // @ts-expect-error: at least the agents
    compiles(() => new A2AServer({}));
    // @ts-expect-error: a list, also for one agent
    compiles(() => new A2AServer({ agents: hello }));
    // @ts-expect-error: not made by defineAgent
    compiles(() => new A2AServer({ agents: [{ name: 'raw' }] }));
    // @ts-expect-error: an option that does not exist
    compiles(() => new A2AServer({ agents: [hello], prot: 4000 }));
    // @ts-expect-error: anonymous callers share or they do not
    compiles(() => new A2AServer({ agents: [hello], anonymous: true }));
  });

  it('takes either store, and limits one by one', () => {
    expectTypeOf(memory()).toExtend<NonNullable<A2AServerOptions['store']>>();
    expectTypeOf<typeof sqlite>().returns.toExtend<NonNullable<A2AServerOptions['store']>>();
    expectTypeOf<{ keepAlive: number }>().toExtend<NonNullable<A2AServerOptions['limits']>>();
    expectTypeOf<keyof ServerLimits>().toExtend<string>();
  });

  it('listens, answers web requests and closes', () => {
    expectTypeOf<A2AServer['listen']>().returns.toEqualTypeOf<Promise<A2AServer>>();
    expectTypeOf<A2AServer['fetch']>().toEqualTypeOf<(request: Request, surroundings?: unknown) => Promise<Response>>();
    expectTypeOf<A2AServer['url']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<A2AServer['close']>().returns.toEqualTypeOf<Promise<void>>();
  });
});

describe('serve', () => {
  it('takes one agent and the options of listening and of the server', () => {
    expectTypeOf(serve).returns.toEqualTypeOf<Promise<A2AServer>>();
    expectTypeOf(serve).toBeCallableWith(hello);
    expectTypeOf(serve).toBeCallableWith(skilled, {
      port: 0,
      host: '0.0.0.0',
      store: memory(),
    });
    // @ts-expect-error: the agent is the first argument
    compiles(() => serve(hello, { agents: [hello] }));
    // @ts-expect-error: a port is a number
    compiles(() => serve(hello, { port: '4000' }));
  });
});

describe('sqlite', () => {
  it('takes a path and options', () => {
    expectTypeOf(sqlite).toBeCallableWith('tasks.db');
    expectTypeOf(sqlite).toBeCallableWith('tasks.db', { synchronous: 'normal', writer: 'loop', busyTimeout: 100 });
    expectTypeOf<SqliteOptions['synchronous']>().toEqualTypeOf<'full' | 'normal' | 'off' | undefined>();
    // @ts-expect-error: the file is not optional
    compiles(() => sqlite());
  });
});

describe('errors', () => {
  it('have closed sets of codes', () => {
    compiles((error: unknown) => {
      if (isA2AError(error)) {
        // @ts-expect-error: no such code
        if (error.code === 'TEAPOT') throw error;
      }
      if (error instanceof StoreError) {
        expectTypeOf(error.code).toEqualTypeOf<
          | 'FOREIGN_FILE'
          | 'NOT_WRITABLE'
          | 'IN_USE'
          | 'NEWER_SCHEMA'
          | 'CORRUPT'
          | 'BAD_ADDRESS'
          | 'NO_DRIVER'
          | 'UNREACHABLE'
        >();
      }
    });
  });
});
