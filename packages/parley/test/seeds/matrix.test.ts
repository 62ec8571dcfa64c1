import { A2AClient, A2AServer, inputRequired, isTask, type Task, textOf } from 'parley-a2a';
import { beforeAll, describe, expect, it } from 'vitest';
import { agentOf } from '../support/script.ts';
import { SPEAKERS, SPEAKERS_MOUNTS } from '../support/speakers.ts';

/** Asks once, then tells what was said. */
const asking = agentOf(
  async function* (task) {
    if (task.history.length === 0) return inputRequired('Which quarter?');
    yield `Report for ${task.text}`;
    yield ', done';
    return undefined;
  },
  { name: 'asking' },
);

const server = new A2AServer({ agents: [asking], mounts: SPEAKERS_MOUNTS });
let clients: ReadonlyMap<string, A2AClient>;

beforeAll(async () => {
  await server.listen({ port: 0 });
  clients = new Map(
    SPEAKERS.map(({ name, path, options }) => [name, new A2AClient(`${server.url}${path}`, options)] as const),
  );
  return () => server.close();
});

function clientOf(name: string): A2AClient {
  const client = clients.get(name);
  if (!client) throw new Error(`Nobody speaks ${name}`);
  return client;
}

const said = (task: Task) => task.artifacts.map((artifact) => textOf(artifact)).join('') || textOf(task);

describe.each(SPEAKERS)('a conversation that begins in $name', ({ name: first }) => {
  it.each(SPEAKERS)('goes on in $name and is the same task for everybody', async ({ name: second }) => {
    const asked = await clientOf(first).sendMessage('A report, please');
    if (!isTask(asked)) throw new Error('a task was expected');
    const { id: taskId, contextId } = asked;
    expect(textOf(asked.status.message ?? asked)).toContain('Which quarter?');

    const stream = clientOf(second).sendMessageStream('Q4', { taskId, contextId });
    const pieces: string[] = [];
    for await (const piece of stream.textStream) pieces.push(piece);
    expect(pieces.join('')).toBe('Report for Q4, done');
    expect(await stream.task).toMatchObject({ id: taskId, contextId, status: { state: 'completed' } });

    for (const { name } of SPEAKERS) {
      const task = await clientOf(name).getTask(taskId);
      expect(task, name).toMatchObject({ id: taskId, contextId, status: { state: 'completed' } });
      expect(said(task), name).toBe('Report for Q4, done');
    }
  });
});

it('lets a client speak whatever a mount can speak', () => {
  const listed = (make: () => unknown) => {
    try {
      make();
      throw new Error('An unknown name was taken');
    } catch (error) {
      return String(error).split('There are: ')[1]?.split(', ') ?? [];
    }
  };
  const none = 'none' as '1.0';
  const mounted = listed(() => new A2AServer({ agents: [asking], mounts: [{ path: '/x', dialect: none }] }));
  const called = listed(() => new A2AClient('http://host', { protocol: none }));
  // The stream is an address of the draft, not a dialect of its own for those who call.
  expect(called.sort()).toEqual(mounted.filter((name) => name !== 'v1_draft-stream').sort());
  expect(called).toHaveLength(8);
});
