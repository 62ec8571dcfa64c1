import { A2AClient, defineAgent, inputRequired, json } from 'parley-a2a';
import { SKILLS_EXTENSION } from 'parley-a2a/extensions';
import { describe, expect, it } from 'vitest';
import { number, object } from '../../support/schemas/shapes.ts';
import { about, clientOf, reporter, reportInput, reportOutput, reportSkill } from './reporter.ts';

describe('client.skill', () => {
  it('sends the input and gives the data of the result', async () => {
    const { client } = await clientOf(reporter);
    expect(await client.skill('report').call({ quarter: 'Q4', regions: ['EU'] })).toEqual({
      revenue: 42,
      regions: ['EU'],
    });
  });

  it('streams', async () => {
    const { client } = await clientOf(reporter);
    const stream = client.skill('report').stream({ quarter: 'Q4' });
    const task = await stream.task;
    expect(task.artifacts[0]?.extensions).toEqual([SKILLS_EXTENSION]);
    expect(task.artifacts[0]?.parts.at(-1)).toMatchObject({ data: { revenue: 42 } });
  });

  it('throws what the agent says of a wrong input', async () => {
    const { client } = await clientOf(reporter);
    const call = client.skill('report').call({ quarter: 4 as never });
    await expect(call).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });

  it('throws before anything is sent where it has the agent itself', async () => {
    let sent = 0;
    const { url } = await clientOf(reporter);
    const interceptor = (call: never, next: (call: never) => Promise<unknown>) => {
      sent += 1;
      return next(call);
    };
    const client = await A2AClient.connect(url, { agent: reporter, interceptors: [interceptor as never] });
    const violations = [{ field: 'input.quarter', description: 'must be a string' }];
    await expect(client.skill('report').call({} as never)).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      violations,
    });
    expect(() => client.skill('report').stream({} as never)).toThrow('input.quarter');
    expect(sent).toBe(0);
    expect(await client.skill('report').call({ quarter: 'Q1' })).toEqual({ revenue: 42, regions: ['all'] });
  });

  it('throws where the result is not what the agent of the program has', async () => {
    const older = defineAgent({
      ...about,
      name: 'reporter',
      skills: [{ ...reportSkill, input: reportInput }],
      run: () => json({ revenue: 'much' }),
    });
    const { url } = await clientOf(older);
    const client = await A2AClient.connect(url, { agent: reporter });
    await expect(client.skill('report').call({ quarter: 'Q1' })).rejects.toMatchObject({
      code: 'INVALID_RESPONSE',
      violations: [{ field: 'output.revenue', description: 'must be a number' }, { field: 'output.regions' }],
    });
  });

  it('throws where the task does not complete', async () => {
    const failing = defineAgent({
      ...about,
      name: 'failing',
      skills: [{ ...reportSkill, output: reportOutput }],
      run: () => inputRequired('Which quarter?'),
    });
    const { client } = await clientOf(failing);
    await expect(client.skill('report').call('x')).rejects.toMatchObject({ code: 'TASK_NOT_COMPLETED' });
  });

  it('takes the data of the result, whatever else the task has', async () => {
    const agent = defineAgent({
      ...about,
      name: 'two',
      skills: [{ ...reportSkill, output: object({ total: number }) }],
      async *run(task) {
        yield 'Working. ';
        await task.artifact({ name: 'trace' }).end(json(['anything']));
        yield json({ total: 1 });
      },
    });
    const { client } = await clientOf(agent);
    expect(await client.skill('report').call('go')).toEqual({ total: 1 });
  });

  it('works with agents that say nothing of shapes: data if there is any, else text', async () => {
    const plain = defineAgent({ ...about, name: 'plain', run: (task) => (task.text === '' ? json([1]) : 'text') });
    const { client } = await clientOf(plain);
    expect(await client.skill('plain').call({ any: 'thing' })).toEqual([1]);
    expect(await client.skill('plain').call(undefined)).toEqual([1]);
    const speaking = defineAgent({ ...about, name: 'speaking', run: () => 'only text' });
    expect(await (await clientOf(speaking)).client.skill('speaking').call({})).toBe('only text');
  });
});
