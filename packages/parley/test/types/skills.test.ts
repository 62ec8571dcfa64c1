import {
  A2AClient,
  type Agent,
  type AgentCall,
  type CallTarget,
  dataOf,
  defineAgent,
  isTask,
  type JsonValue,
  json,
  type SkillClient,
  type SkillDefinition,
  type StandardSchema,
  type Task,
  type TaskContext,
} from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';
import { describe, expectTypeOf, it } from 'vitest';
import { number, object, optional, string } from '../support/schemas/shapes.ts';
import { compiles } from './compiles.ts';

// What these tests hold is checked by `tsc`; they run only to be counted.

const about = { name: 'test', description: 'An agent of a test', version: '1.0.0' };
const said = { name: 'A skill', description: 'A skill', tags: ['test'] };
const input = object({ quarter: string, year: optional(number, 2025) });
const output = object({ revenue: number });

type Sent = { quarter: string; year?: number | undefined };
type Parsed = { quarter: string; year: number };

const one = defineAgent({
  ...about,
  skills: [{ ...said, id: 'report', input, output }],
  run(task) {
    expectTypeOf(task.skill).toEqualTypeOf<'report'>();
    expectTypeOf(task.input).toEqualTypeOf<Parsed>();
    return json({ revenue: 1 });
  },
});

const several = defineAgent({
  ...about,
  skills: [
    { ...said, id: 'report', input, output },
    { ...said, id: 'count', input: { schema: number, jsonSchema: { type: 'number' } } },
    { ...said, id: 'plain' },
  ],
  async *run(task) {
    expectTypeOf(task.skill).toEqualTypeOf<'report' | 'count' | 'plain' | undefined>();
    // @ts-expect-error: which skill is it?
    yield task.input.quarter;
    if (task.skill === 'report') expectTypeOf(task.input).toEqualTypeOf<Parsed>();
    if (task.skill === 'plain') expectTypeOf(task.input).toBeUnknown();
    if (task.skill === undefined) expectTypeOf(task.input).toBeUndefined();
    if (task.skill === 'count') expectTypeOf(task.input).toEqualTypeOf<number>();
    // @ts-expect-error: there is no such skill
    if (task.skill === 'forecast') yield 'Sunny';
    yield* narrate(task);
    await task.step('pay', () => 1);
  },
});

async function* narrate(task: TaskContext): AsyncGenerator<string> {
  yield task.text;
}

describe('an agent with typed skills', () => {
  it('has the type of its input, by skill', () => {
    expectTypeOf(one).toExtend<Agent>();
    expectTypeOf(several).toExtend<Agent>();
    expectTypeOf(several).toExtend<CallTarget>();
  });

  it('takes schemas, and what makes some', () => {
    const skills = [{ ...said, id: 'wrong', input: { type: 'object' } }] as const;
    // @ts-expect-error: JSON Schema alone checks nothing
    compiles(() => defineAgent({ ...about, skills, run: () => '' }));
  });

  it('has no members that a skill does not have', () => {
    const guarded = { ...said, id: 'guarded', scopes: ['admin'], examples: ['Go'], inputModes: undefined };
    compiles(() => defineAgent({ ...about, skills: [guarded, { ...guarded, id: 'two', input }], run: () => '' }));
    // @ts-expect-error: a misspelt guard is none
    compiles(() => defineAgent({ ...about, skills: [{ ...said, id: 'x', scope: ['admin'] }], run: () => '' }));
    // @ts-expect-error: the second skill too
    compiles(() => defineAgent({ ...about, skills: [guarded, { ...said, id: 'x', ouput: output }], run: () => '' }));
    const elsewhere = [{ ...said, id: 'x', scope: ['admin'] }] as const;
    // @ts-expect-error: nor where the list was made before
    compiles(() => defineAgent({ ...about, skills: elsewhere, run: () => '' }));
    // @ts-expect-error: nor for a language model
    compiles(() => llmAgent({ ...about, skills: [{ ...said, id: 'x', scope: ['admin'] }] }));
    compiles(() => llmAgent({ ...about, skills: [guarded] }));
  });

  it('may be made of skills whose number and ids nobody knows', () => {
    compiles((skills: readonly SkillDefinition[], agent: Agent) => [
      defineAgent({ ...about, skills, run: () => '' }),
      defineAgent({ ...about, skills: [...agent.skills, { ...said, id: 'more' }], run: () => '' }),
      defineAgent({ ...agent, name: 'other' }),
    ]);
  });

  it('has an input of no type without schemas', () => {
    defineAgent({
      ...about,
      run(task) {
        expectTypeOf(task.input).toBeUnknown();
        expectTypeOf(task).toEqualTypeOf<TaskContext>();
      },
    });
  });

  it('takes any Standard Schema', () => {
    const schema = {} as StandardSchema<string, Date>;
    compiles(() =>
      defineAgent({
        ...about,
        skills: [{ ...said, id: 'date', input: schema }],
        run(task) {
          expectTypeOf(task.input).toEqualTypeOf<Date>();
        },
      }),
    );
  });
});

describe('a client', () => {
  it('knows what goes in and comes out, by the type of the agent', () => {
    compiles(async () => {
      const client = await A2AClient.connect<typeof one>('https://example.com');
      expectTypeOf(client.skill('report')).toEqualTypeOf<SkillClient<Sent, { revenue: number }>>();
      expectTypeOf(await client.skill('report').call({ quarter: 'Q4' })).toEqualTypeOf<{ revenue: number }>();
      // @ts-expect-error: there is no such skill
      client.skill('forecast');
      // @ts-expect-error: the quarter is missing
      await client.skill('report').call({});
    });
  });

  it('knows it of a client that is there, and of the agent itself', () => {
    compiles(async (client: A2AClient) => {
      expectTypeOf(client.as<typeof several>().skill('count')).toEqualTypeOf<SkillClient<number, unknown>>();
      const connected = await A2AClient.connect('https://example.com', { agent: one });
      expectTypeOf(connected).toEqualTypeOf<A2AClient<typeof one>>();
      expectTypeOf(new A2AClient('https://example.com', { agent: one })).toEqualTypeOf<A2AClient<typeof one>>();
    });
  });

  it('takes any skill and any input where the agent is not known', () => {
    compiles((client: A2AClient) => {
      expectTypeOf(client.skill('whatever')).toEqualTypeOf<SkillClient>();
      expectTypeOf(new A2AClient('https://example.com')).toEqualTypeOf<A2AClient>();
    });
  });

  it('of a known agent is a client as any other', () => {
    compiles((client: A2AClient<typeof one>, task: TaskContext) => {
      const any: A2AClient = client;
      task.call(client, 'go');
      return any;
    });
  });
});

describe('a call of another agent', () => {
  it('takes the input of the skill that it names, and knows what comes out', () => {
    compiles(async (task: TaskContext) => {
      const call = task.call(one, { skill: 'report', input: { quarter: 'Q4' } });
      expectTypeOf(call).toEqualTypeOf<AgentCall<{ revenue: number }>>();
      const outcome = await call;
      expectTypeOf(dataOf(outcome)).toEqualTypeOf<{ revenue: number } | undefined>();
      if (isTask(outcome)) expectTypeOf(dataOf(outcome)).toEqualTypeOf<{ revenue: number } | undefined>();
      expectTypeOf(dataOf(await call.task)).toEqualTypeOf<{ revenue: number } | undefined>();
      expectTypeOf(await call.task).toExtend<Task>();
      task.call(several, { skill: 'count', input: 3 });
      // A skill without a schema may be called without an input, too.
      expectTypeOf(task.call(several, { skill: 'plain' })).toEqualTypeOf<AgentCall<JsonValue>>();
    });
  });

  it('refuses another input and skills that there are none', () => {
    compiles((task: TaskContext, client: A2AClient<typeof one>) => {
      // @ts-expect-error: the quarter is missing
      task.call(one, { skill: 'report', input: {} });
      // @ts-expect-error: the input is missing
      task.call(one, { skill: 'report' });
      // @ts-expect-error: there is no such skill
      task.call(one, { skill: 'forecast', input: {} });
      // @ts-expect-error: the quarter is a text
      task.call(client, { skill: 'report', input: { quarter: 4 } });
    });
  });

  it('knows it of a client of a known agent, and takes anything elsewhere', () => {
    compiles(async (task: TaskContext, client: A2AClient<typeof one>, any: A2AClient, agent: Agent) => {
      const outcome = await task.call(client, { skill: 'report', input: { quarter: 'Q4' } });
      expectTypeOf(dataOf(outcome)).toEqualTypeOf<{ revenue: number } | undefined>();
      task.call(any, { skill: 'whatever', input: 1 });
      task.call(agent, { skill: 'whatever', input: 1 });
      const elsewhere = await task.call('https://example.com', { skill: 'whatever', input: 1 });
      expectTypeOf(dataOf(elsewhere)).toEqualTypeOf<JsonValue | undefined>();
      expectTypeOf(dataOf(await task.call(agent, 'go'))).toEqualTypeOf<JsonValue | undefined>();
    });
  });
});

describe('dataOf', () => {
  it('is JSON where no type is known', () => {
    compiles((task: Task) => {
      expectTypeOf(dataOf(task)).toEqualTypeOf<JsonValue | undefined>();
      expectTypeOf(dataOf(json(1))).toEqualTypeOf<JsonValue | undefined>();
      expectTypeOf(dataOf(task.artifacts[0]?.parts ?? [])).toEqualTypeOf<JsonValue | undefined>();
    });
  });
});
