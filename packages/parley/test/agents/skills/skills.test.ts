import { type Agent, agentResult, complete, defineAgent, inputRequired, json, reply, text } from 'parley-a2a';
import { SKILLS_EXTENSION, skillSchemasOf } from 'parley-a2a/extensions';
import { describe, expect, it } from 'vitest';
import { textOfTask } from '../../support/frames.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { number, object, optional } from '../../support/schemas/shapes.ts';
import { about, clientOf, data, reporter, reportInput, reportOutput, reportSkill } from './reporter.ts';

describe('the input of a skill', () => {
  it('is given to the run as the schema makes it', async () => {
    const { peer } = startServer(reporter);
    const task = await peer.send('', data({ quarter: 'Q4' }));
    expect(textOfTask(task)).toBe('Report for Q4. ');
    expect(task.artifacts[0].parts[1].data).toEqual({ revenue: 42, regions: ['all'] });
  });

  it('is refused with the places that are wrong, before there is a task', async () => {
    const { peer } = startServer(reporter);
    const error = await peer.error(
      'SendMessage',
      sendParams('', { parts: [{ text: 'For you:' }, { data: { regions: ['EU', 7] } }] }),
    );
    expect(error.code).toBe(-32602);
    const violations = error.data.flatMap((detail: Wire) => detail.fieldViolations ?? []);
    expect(violations).toEqual([
      { field: 'message.parts[1].data.quarter', description: 'must be a string' },
      { field: 'message.parts[1].data.regions[1]', description: 'must be a string' },
    ]);
    expect((await peer.call('ListTasks', {})).tasks).toEqual([]);
  });

  it.each(['SendMessage', 'SendStreamingMessage'])('must be there (%s)', async (method) => {
    const { peer } = startServer(reporter);
    const response: Wire = await (await peer.request(method, sendParams('Q4, please'))).json();
    expect(response.error.message).toContain('data part with the input of skill "report"');
  });

  it('may be left out where the schema can do without', async () => {
    const agent = defineAgent({
      ...about,
      name: 'lenient',
      skills: [{ ...reportSkill, input: optional(reportInput, { quarter: 'Q1', regions: [] }) }],
      run: (task) => task.input.quarter,
    });
    expect(textOfTask(await startServer(agent).peer.send('please'))).toBe('Q1');
  });

  it('stays that of the first message when later ones answer a question', async () => {
    const agent = defineAgent({
      ...about,
      name: 'asking',
      skills: [
        { ...reportSkill, input: reportInput },
        { ...reportSkill, id: 'other' },
      ],
      run(task) {
        if (task.skill !== 'report') return 'none';
        return task.history.length === 0 ? inputRequired('Which year?') : `${task.input.quarter} ${task.text}`;
      },
    });
    const { peer } = startServer(agent);
    const { id } = await peer.send('', data({ quarter: 'Q2' }, 'report'));
    expect(textOfTask(await peer.send('2025', { taskId: id }))).toBe('Q2 2025');
    expect(textOfTask(await peer.send('hello'))).toBe('none');
  });

  it('belongs to the run: changing it changes nothing else', async () => {
    const keepsWhatItGets = {
      '~standard': {
        version: 1,
        vendor: 'same',
        validate: (value: unknown) => ({ value: value as { list: number[] } }),
      },
    } as const;
    const agent = defineAgent({
      ...about,
      name: 'changing',
      skills: [{ ...reportSkill, input: keepsWhatItGets }],
      run(task) {
        (task.input as { list: number[] }).list.push(2);
        return json((task.input as { list: number[] }).list);
      },
    });
    const { peer } = startServer(agent);
    const task = await peer.send('', data({ list: [1] }));
    expect(task.artifacts[0].parts[0].data).toEqual([1, 2]);
    expect(task.history[0].parts[0].data).toEqual({ list: [1] });
  });

  it('may be checked by a schema that takes its time', async () => {
    const slow = {
      '~standard': {
        version: 1,
        vendor: 'slow',
        validate: async (value: unknown) =>
          value === 1 ? { value: 'one' } : { issues: [{ message: 'must be 1', path: [{ key: 'odd key' }, 0] }] },
      },
    } as const;
    const agent = defineAgent({
      ...about,
      name: 'slow',
      skills: [{ ...reportSkill, input: slow, output: slow }],
      run: (task) => json(task.input === 'one' ? 1 : 2),
    });
    const { peer } = startServer(agent);
    expect((await peer.send('', data(1))).artifacts[0].parts[0].data).toBe('one');
    const error = await peer.error('SendMessage', sendParams('', data(2)));
    expect(error.message).toContain('message.parts[0].data["odd key"][0] must be 1');
  });
});

describe('the output of a skill', () => {
  const giving = (run: () => unknown) =>
    defineAgent({
      ...about,
      name: 'giving',
      skills: [{ ...reportSkill, output: object({ total: number }) }],
      run: run as Agent['run'],
    });

  it.each<[string, () => unknown]>([
    ['data of another shape', () => json({ total: 'many' })],
    ['no data', () => 'forty-two'],
    ['a reply of another shape', () => reply(json({ total: null }))],
    ['a reply without data', () => reply('forty-two')],
    ['a last message of another shape', () => complete(json('x'))],
    ['a result of another shape', () => agentResult({ text: 'x', data: { total: [] } })],
    ['outputs of another shape', () => [json({ total: 1 }), json({ total: '2' })]],
  ])('fails the task where it is %s', async (_, run) => {
    const { peer, logged } = startServer(giving(run));
    const { status } = await peer.send('go');
    expect(status.state).toBe('TASK_STATE_FAILED');
    expect(status.message.metadata.reason).toBe('invalid-agent-response');
    expect(String(logged[0].details.error)).toContain('does not fit the skill "report"');
  });

  it('is what the schema makes of it, also in a bare reply', async () => {
    const { peer } = startServer(giving(() => reply([text('Here: '), json({ total: 1, more: 2 })])));
    expect((await peer.send('go')).parts).toEqual([{ text: 'Here: ' }, { data: { total: 1 } }]);
  });

  it('is not asked of a run that asks, rejects or has given it before', async () => {
    let turn = 0;
    const agent = giving(() => {
      turn += 1;
      if (turn === 2) return [json({ total: 1 })];
      return turn === 1 ? inputRequired('Sure?') : 'done';
    });
    const { peer } = startServer(agent);
    const { id, status } = await peer.send('go');
    expect(status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect((await peer.send('yes', { taskId: id })).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('leaves other artifacts alone', async () => {
    const agent = defineAgent({
      ...about,
      name: 'two',
      skills: [{ ...reportSkill, output: object({ total: number }) }],
      async run(task) {
        await task.artifact({ name: 'trace' }).end(json(['anything']));
        return json({ total: 1 });
      },
    });
    expect((await startServer(agent).peer.send('go')).status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('the card (S3.4)', () => {
  const schemas = { input: reportInput.described, output: reportOutput.described };

  it.each(['merged', '1.0', '0.3'] as const)('describes the skills as JSON Schema (%s)', async (card) => {
    const { peer } = startServer(reporter, { card: card });
    const shown: Wire = await (await peer.raw('/.well-known/agent-card.json')).json();
    const entry = shown.capabilities.extensions.find(({ uri }: Wire) => uri === SKILLS_EXTENSION);
    expect(entry.params).toEqual({ skills: { report: schemas } });
    expect(entry.required ?? false).toBe(false);
    expect(Object.keys(shown.skills[0]).sort()).toEqual(['description', 'id', 'name', 'tags']);
  });

  it('is read by clients', async () => {
    const { client } = await clientOf(reporter);
    expect(skillSchemasOf(await client.agentCard()).get('report')).toEqual(schemas);
  });

  const noWords = { '~standard': { version: 1, vendor: 'x', validate: (value: unknown) => ({ value }) } } as const;
  const shownOf = (input: object) =>
    defineAgent({ ...about, name: 'x', skills: [{ ...reportSkill, input: input as typeof noWords }], run: () => '' })
      .extensions[0]?.params;

  it.each<[string, object, unknown]>([
    ['a method of the schema', { ...noWords, toJSONSchema: (options: object) => options }, { io: 'input' }],
    ['what is given beside it', { schema: noWords, jsonSchema: { type: 'string' } }, { type: 'string' }],
    ['nobody: then anything may be sent', noWords, true],
  ])('gets the JSON Schema from %s', (_, input, shown) => {
    expect(shownOf(input)).toEqual({ skills: { report: { input: shown } } });
  });

  it('cannot be made where the schema cannot be described', () => {
    const broken = { ...noWords, toJSONSchema: () => JSON.parse('{') };
    expect(() => shownOf(broken)).toThrow('skill "report" of agent "x" cannot be written as JSON Schema');
  });

  it('says nothing of skills without shapes, and takes JSON where a skill wants data', () => {
    const plain = defineAgent({ ...about, name: 'x', skills: [reportSkill], run: () => '' });
    expect(plain.extensions).toEqual([]);
    const typed = defineAgent({
      ...about,
      name: 'x',
      inputModes: ['text/plain'],
      skills: [{ ...reportSkill, input: reportInput }],
      run: () => '',
    });
    expect(typed.inputModes).toEqual(['text/plain', 'application/json']);
  });
});

describe('agentResult (S3.8)', () => {
  it('gives a text, a data artifact and metadata', async () => {
    const agent = defineAgent({
      ...about,
      name: 'model',
      run: () =>
        agentResult({
          text: 'It is sunny.',
          data: { weather: 'sunny' },
          toolCalls: [{ name: 'forecast', args: { city: 'Rome' } }],
          usage: { tokens: 12 },
          metadata: { model: 'small' },
        }),
    });
    const task = await startServer(agent).peer.send('go');
    expect(task.artifacts).toHaveLength(2);
    expect(task.artifacts[0].parts).toEqual([{ text: 'It is sunny.' }]);
    expect(task.artifacts[1]).toMatchObject({ name: 'data', parts: [{ data: { weather: 'sunny' } }] });
    expect(task.metadata).toEqual({
      model: 'small',
      toolCalls: [{ name: 'forecast', args: { city: 'Rome' } }],
      usage: { tokens: 12 },
    });
  });

  it('may be yielded, and needs nothing', async () => {
    const agent = defineAgent({
      ...about,
      name: 'model',
      async *run() {
        yield agentResult({ text: 'one ' });
        yield 'two';
        return agentResult({});
      },
    });
    const task = await startServer(agent).peer.send('go');
    expect(textOfTask(task)).toBe('one two');
    expect(task.artifacts).toHaveLength(1);
  });
});
