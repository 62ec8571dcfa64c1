import {
  type Agent,
  type AgentDefinition,
  authRequired,
  bytes,
  chunk,
  complete,
  defineAgent,
  fail,
  inputRequired,
  json,
  link,
  type Message,
  type Outcome,
  type Part,
  reject,
  reply,
  type TaskContext,
  text,
} from 'parley-a2a';
import type { RunResult } from 'parley-a2a/types';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { compiles } from './compiles.ts';

// What these tests hold is checked by `tsc`; they run only to be counted.

const about = { name: 'test', description: 'An agent of a test', version: '1.0.0' };
const skill = <const Id extends string>(id: Id) => ({ id, name: id, description: id, tags: ['test'] });

/** Takes what `run` may be. Nothing is called. */
function define(run: (task: TaskContext) => RunResult): Agent {
  return defineAgent({ ...about, run });
}

describe('task.skill', () => {
  it("is one of the skills' ids", () => {
    const agent = defineAgent({
      ...about,
      skills: [
        { id: 'report', name: 'Report', description: 'Writes a report', tags: ['sales'] },
        { id: 'summary', name: 'Summary', description: 'Writes a summary', tags: ['sales'] },
      ],
      run(task) {
        expectTypeOf(task.skill).toEqualTypeOf<'report' | 'summary' | undefined>();
        // @ts-expect-error: there is no such skill
        if (task.skill === 'forecast') return reply('Sunny');
        return undefined;
      },
    });
    expectTypeOf(agent).toEqualTypeOf<Agent<'report' | 'summary'>>();
    expectTypeOf(agent.skills[0]?.id).toEqualTypeOf<'report' | 'summary' | undefined>();
    expect(agent.skills.map(({ id }) => id)).toEqual(['report', 'summary']);
  });

  it('is known where skills are made elsewhere', () => {
    const agent = defineAgent({ ...about, skills: [skill('one'), skill('two')], run: (task) => task.skill ?? 'none' });
    expectTypeOf(agent).toEqualTypeOf<Agent<'one' | 'two'>>();
  });

  it('is any string without skills', () => {
    defineAgent({
      ...about,
      run: (task) => {
        expectTypeOf(task.skill).toEqualTypeOf<string | undefined>();
      },
    });
  });

  it('does not keep an agent from being one of many', () => {
    const agents: readonly Agent[] = [
      defineAgent({ ...about, skills: [skill('one')], run: () => 'one' }),
      define(() => ''),
    ];
    expect(agents).toHaveLength(2);
  });
});

describe('run may be', () => {
  it('an async generator of outputs that returns nothing, an output or an outcome', () => {
    define(async function* () {
      yield 'text';
      yield text('text');
      yield [text('one'), json({ two: 2 })];
      yield chunk(bytes('content'), { name: 'file', lastChunk: true });
    });
    define(async function* (task) {
      if (task.text === '') return inputRequired('What?');
      if (task.text === 'secret') return authRequired('Sign in first');
      if (task.text === 'last words') return 'Goodbye';
      yield 'working';
      return complete();
    });
  });

  it('an async function that returns nothing, an output or an outcome', () => {
    define(async () => {});
    define(async () => 'text');
    define(async () => link('https://example.com/file'));
    define(async () => [text('one'), text('two')]);
    define(async (task) => (task.text === '' ? inputRequired('What?') : undefined));
    define(async () => {
      throw reject('No');
    });
  });

  it('a function that returns the same at once', () => {
    define(() => {});
    define(() => 'text');
    define(() => json(null));
    define((task) => task.parts);
    define(() => reply('Hi'));
    define(() => reply({ parts: [text('Hi')], metadata: { mood: 'good' } }));
  });

  it('a generator, or anything else that can be iterated', () => {
    define(function* () {
      yield 'one';
      yield text('two');
      return complete('Done');
    });
    define(() => new Set(['one', 'two']));
    define(() => new ReadableStream<string>());
    define(async function* (task) {
      yield* words(task.text);
    });
    async function* words(sentence: string): AsyncIterable<string> {
      yield* sentence.split(' ');
    }
  });

  it('a method that uses `this`', () => {
    class Greeter implements AgentDefinition {
      readonly name = 'greeter';
      readonly description = 'Greets';
      readonly version = '1.0.0';
      readonly greeting = 'Hello';
      run(task: TaskContext) {
        return `${this.greeting}, ${task.text}!`;
      }
    }
    const definition = new Greeter();
    expectTypeOf(defineAgent(definition)).toEqualTypeOf<Agent>();
  });
});

describe('run may not', () => {
  it('give what no task can carry', () => {
    // @ts-expect-error: a number is no output
    define(() => 42);
    // @ts-expect-error: nor is a promise of one
    define(async () => 42);
    // @ts-expect-error: an object needs json()
    define(() => ({ total: 42 }));
    // @ts-expect-error: a date needs a format
    define(() => new Date());
    // @ts-expect-error: a kind of part that does not exist
    define(() => ({ kind: 'video', url: 'https://example.com' }));
    // @ts-expect-error: a text part has its text in `text`
    define(() => ({ kind: 'text', content: 'Hi' }));
    // @ts-expect-error: an outcome that does not exist
    define(() => ({ outcome: 'paused', message: 'No' }));
    // @ts-expect-error: a message is sent with reply()
    define((task) => task.message);
    // @ts-expect-error: a rejection is thrown
    define(() => reject('No'));
  });

  it('yield what no artifact can carry', () => {
    // @ts-expect-error: a number is no output
    define(async function* () {
      yield 42;
    });
    // @ts-expect-error: an outcome is returned, not yielded
    define(async function* () {
      yield complete();
    });
    // @ts-expect-error: a list is a list of parts
    define(async function* () {
      yield ['one', 'two'];
    });
    // @ts-expect-error: nor can a generator yield a number
    define(function* () {
      yield 42;
    });
  });

  it('be missing, and neither may what names the agent', () => {
    // @ts-expect-error: no run
    compiles(() => defineAgent({ ...about }));
    // @ts-expect-error: no description
    compiles(() => defineAgent({ name: 'test', version: '1.0.0', run: () => '' }));
    const untagged = { id: 'one', name: 'One', description: 'One' };
    // @ts-expect-error: a skill has tags
    compiles(() => defineAgent({ ...about, skills: [untagged], run: () => '' }));
  });
});

describe('the task context', () => {
  type Context = TaskContext<'one'>;

  it('gives what the request brought', () => {
    expectTypeOf<Context['text']>().toEqualTypeOf<string>();
    expectTypeOf<Context['message']>().toEqualTypeOf<Message>();
    expectTypeOf<Context['parts']>().toEqualTypeOf<readonly Part[]>();
    expectTypeOf<Context['history']>().toEqualTypeOf<readonly Message[]>();
    expectTypeOf<Context['signal']>().toEqualTypeOf<AbortSignal>();
    expectTypeOf<Context['deadline']>().toEqualTypeOf<Date>();
    expectTypeOf<Context['user']>().toEqualTypeOf<{
      readonly subject: string;
      readonly tenant: string;
      readonly scopes: readonly string[];
      readonly claims: Context['metadata'];
    }>();
  });

  it('asks for a text', () => {
    expectTypeOf<ReturnType<Context['ask']>>().toEqualTypeOf<Promise<string>>();
    expectTypeOf<Context['ask']>().toBeCallableWith('Which quarter?');
    expectTypeOf<Context['ask']>().toBeCallableWith([text('Sign in')], { state: 'auth-required' });
    // @ts-expect-error: a question leaves the task interrupted, nothing else
    compiles((task: Context) => task.ask('Which quarter?', { state: 'working' }));
  });

  it('writes outputs, statuses and artifacts', () => {
    expectTypeOf<Context['write']>().returns.toEqualTypeOf<Promise<void>>();
    expectTypeOf<Context['status']>().toBeCallableWith('Working on it', { metadata: { progress: 0.5 } });
    expectTypeOf<ReturnType<Context['artifact']>['write']>().returns.toEqualTypeOf<Promise<void>>();
    expectTypeOf<ReturnType<Context['artifact']>['end']>().toBeCallableWith();
    // @ts-expect-error: an outcome is returned, not written
    compiles((task: Context) => task.write(complete()));
    // @ts-expect-error: a chunk names its artifact, a writer has one
    compiles((task: Context) => task.artifact().write(chunk('text')));
  });

  it('hands over messages that come meanwhile, waiting or not', () => {
    type Incoming = ReturnType<Context['messages']>;
    expectTypeOf<Incoming>().toExtend<AsyncIterable<Message>>();
    expectTypeOf<Incoming['take']>().returns.toEqualTypeOf<readonly Message[]>();
  });

  it('cannot be changed', () => {
    // @ts-expect-error: everything is read-only
    compiles((task: Context) => task.history.push(task.message));
    compiles((task: Context) => {
      // @ts-expect-error: everything is read-only
      task.skill = 'one';
    });
  });
});

it('tells outcomes apart', () => {
  const outcome: Outcome = inputRequired('What?');
  expectTypeOf(outcome.outcome).toEqualTypeOf<
    'complete' | 'reply' | 'input-required' | 'auth-required' | 'failed' | 'rejected' | 'canceled'
  >();
  expect(fail('No')).toEqual({ outcome: 'failed', message: 'No' });
  expectTypeOf(reject('No')).toExtend<Error>();
  expect(outcome).toEqual({ outcome: 'input-required', message: 'What?' });
});
