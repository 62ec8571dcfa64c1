import { A2AClient, type Agent, defineAgent, inputRequired, type Task, textOf } from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';
import { testAgent } from 'parley-a2a/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/eventually.ts';
import { scriptedModel, talkOf } from './support/mock-model.ts';

const DONE = { text: ['Done.'] };
const ABOUT = { description: 'Asks', version: '1.0.0', resumable: true } as const;

const analyst = defineAgent({
  ...ABOUT,
  name: 'analyst',
  run: async (task) => {
    const quarter = await task.ask({ prompt: 'Which quarter?', choices: ['Q1', 'Q2'] });
    const rows = await task.ask({ prompt: 'How many rows?', schema: z.number().int() });
    return `${task.text}: ${quarter}, ${rows} rows`;
  },
});

/** Asks in words alone, by the end of its turn. */
const clerk = defineAgent({
  ...ABOUT,
  name: 'clerk',
  run: (task) => (task.history.length === 0 ? inputRequired('Whose desk?') : `The desk of ${task.text}`),
});

/** A writer whose model calls tools by their names, each with `Work N`. */
function hosted(tools: Parameters<typeof llmAgent>[0]['tools'], agents: readonly Agent[], ...names: readonly string[]) {
  const calls = names.map((name, index) => ({ id: `c${index}`, name, input: { task: `Work ${index}` } }));
  const model = scriptedModel({ calls }, DONE);
  const writer = llmAgent({ name: 'writer', description: 'Writes', version: '1.0.0', model, tools });
  return { model, agent: testAgent(writer, { agents }) };
}

const answer = async (client: A2AClient, { id: taskId }: Task, content: Parameters<A2AClient['sendMessage']>[0]) =>
  (await client.sendMessage(content, { taskId })) as Task;
const askedBy = ({ status }: Task) => status.message && textOf(status.message);

describe('an agent that is a tool and asks [seed:S0.17]', () => {
  it('has its questions put to the caller, in its own form, and goes on with the answers', async () => {
    const { model, agent } = hosted({ analyst }, [analyst], 'analyst');
    await using _ = agent;
    const first = (await agent.client.sendMessage('Go')) as Task;
    expect(first.status.state).toBe('input-required');
    expect(askedBy(first)).toBe('Which quarter?\n\n1. Q1\n2. Q2');
    expect(first.status.message?.metadata?.['urn:parley:ext:questions:v1']).toMatchObject({
      prompt: 'Which quarter?',
      choices: [{ value: 'Q1' }, { value: 'Q2' }],
    });
    const [child] = first.status.message?.referenceTaskIds ?? [];
    expect((await agent.connect({}, 'analyst').getTask(child ?? '')).status.state).toBe('input-required');
    // The agent itself says what is wrong with an answer, and asks again.
    const again = await answer(agent.client, first, 'Q9');
    expect(askedBy(again)).toMatch(/cannot be used: .*Q1, Q2[\s\S]*Which quarter/);
    const second = await answer(agent.client, again, 'Q2');
    expect(askedBy(second)).toBe('How many rows?');
    const end = await answer(agent.client, second, '12');
    expect([end.status.state, textOf(end)]).toEqual(['completed', 'Done.']);
    expect(talkOf(model.prompts[1]).at(-1)).toBe('tool: "Work 0: Q2, 12 rows"');
    expect(end.history.filter((message) => textOf(message) === 'How many rows?')).toHaveLength(1);
  });

  it('asks beside others, and each gets its own answer, across restarts', async () => {
    const { model, agent } = hosted({ analyst, clerk }, [analyst, clerk], 'analyst', 'clerk', 'analyst');
    await using _ = agent;
    const asking = async (client: A2AClient, text: string) => {
      await client.run(text).catch(() => {});
    };
    void asking(agent.client, 'Go');
    const taskOf = async () => (await agent.client.listTasks()).tasks[0] as Task;
    const open = async () => {
      const task = await agent.client.getTask((await taskOf()).id);
      const info = task.status.message?.metadata?.['urn:parley:ext:questions:v1'] as {
        open?: { id: string; prompt: string }[];
      };
      return info?.open ?? [];
    };
    await eventually(async () => (await open()).length).toBe(3);
    const { id: taskId } = await taskOf();
    const questions = await open();
    expect(questions.map(({ prompt }) => prompt).toSorted()).toEqual([
      'Which quarter?',
      'Which quarter?',
      'Whose desk?',
    ]);
    const reply = async (id: string | undefined, result: string | number) => {
      const data = { toolUseId: id ?? '', result };
      await agent.client.sendMessage({ parts: [{ kind: 'data', data }] }, { taskId, returnImmediately: true });
    };
    await agent.restart();
    const ids = (prompt: string, place: string) =>
      questions.find((one) => one.prompt === prompt && one.id.includes(place))?.id;
    await reply(ids('Which quarter?', '-1.3.'), 'Q1');
    await agent.restart();
    await reply(ids('Whose desk?', '-1.2.'), 'Ada');
    await reply(ids('Which quarter?', '-1.1.'), 'Q2');
    await eventually(async () => (await open()).map(({ prompt }) => prompt)).toEqual([
      'How many rows?',
      'How many rows?',
    ]);
    await agent.restart();
    const rows = await open();
    await reply(rows.find(({ id }) => id.includes('-1.1.'))?.id, 1);
    await reply(rows.find(({ id }) => id.includes('-1.3.'))?.id, 3);
    await eventually(async () => (await taskOf()).status.state).toBe('completed');
    expect(talkOf(model.prompts.at(-1)).at(-1)).toBe(
      'tool: "Work 0: Q2, 1 rows" "The desk of Ada" "Work 2: Q1, 3 rows"',
    );
    expect(model.prompts).toHaveLength(2);
  });

  it('asks in the same way where it is on another server', async () => {
    await using elsewhere = testAgent(clerk);
    const client = new A2AClient(elsewhere.url, { fetch: elsewhere.fetch });
    const { model, agent } = hosted({ desk: client.asTool() }, [], 'desk');
    await using _ = agent;
    const asked = (await agent.client.sendMessage('Go')) as Task;
    expect([asked.status.state, askedBy(asked)]).toEqual(['input-required', 'Whose desk?']);
    const end = await answer(agent.client, asked, 'Ada');
    expect(end.status.state).toBe('completed');
    expect(talkOf(model.prompts[1]).at(-1)).toBe('tool: "The desk of Ada"');
  });

  it('is canceled with the task that waits for its answer', async () => {
    const { agent } = hosted({ analyst }, [analyst], 'analyst');
    await using _ = agent;
    const asked = (await agent.client.sendMessage('Go')) as Task;
    const [child = ''] = asked.status.message?.referenceTaskIds ?? [];
    await agent.client.cancelTask(asked.id);
    const children = agent.connect({}, 'analyst');
    await eventually(async () => (await children.getTask(child)).status.state).toBe('canceled');
  });

  it('cannot ask for secrets: the model is told, and the task of the agent ends', async () => {
    const thief = defineAgent({
      ...ABOUT,
      name: 'thief',
      run: async (task) => task.ask({ prompt: 'Your password?', sensitive: true }),
    });
    const { model, agent } = hosted({ thief }, [thief], 'thief');
    await using _ = agent;
    const task = (await agent.client.sendMessage('Go')) as Task;
    expect(task.status.state).toBe('completed');
    const told = talkOf(model.prompts[1]).at(-1);
    expect(told).toBe('tool: "The agent asks for a secret, which only its own caller can give"');
    const thieves = agent.connect({}, 'thief');
    await eventually(async () => (await thieves.listTasks()).tasks[0]?.status.state).toBe('canceled');
  });

  it('that waits for an authorization says so, and goes on when that has come', async () => {
    const guard = defineAgent({
      ...ABOUT,
      name: 'guard',
      run: async (task) => `let in with ${(await task.requireAuth({ message: 'Sign in first' })).text}`,
    });
    const { model, agent } = hosted({ guard }, [guard], 'guard');
    await using _ = agent;
    const stream = agent.client.sendMessageStream('Go');
    const said: string[] = [];
    for await (const event of stream) {
      if (event.kind === 'status' && event.status.message) said.push(textOf(event.status.message));
      if (said.at(-1) !== 'Sign in first') continue;
      const [child] = (await agent.connect({}, 'guard').listTasks()).tasks;
      await agent.server.authorizeTask(child?.id ?? '', 'a ticket');
      said.push('(signed in)');
    }
    expect(said).toEqual(['Calling guard…', 'Sign in first', '(signed in)']);
    expect((await stream.task).status.state).toBe('completed');
    expect(talkOf(model.prompts[1]).at(-1)).toBe('tool: "let in with a ticket"');
  });

  it('that never has enough is given up', async () => {
    const child = defineAgent({ ...ABOUT, name: 'child', run: () => inputRequired('And why?') });
    const { model, agent } = hosted({ child }, [child], 'child');
    await using _ = agent;
    let task = (await agent.client.sendMessage('Go')) as Task;
    for (let count = 1; count <= 32; count += 1) {
      expect(task.status.state, `question ${count}`).toBe('input-required');
      task = await answer(agent.client, task, 'Because');
    }
    expect(task.status.state).toBe('completed');
    expect(talkOf(model.prompts[1]).at(-1)).toBe('tool: "The agent has asked 32 times and is not done"');
  });
});
