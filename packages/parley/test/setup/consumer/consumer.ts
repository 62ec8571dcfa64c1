// A program of somebody who installed the package, in TypeScript. It is checked here against the sources, and by
// `pack.test.ts` against the packed types, with and without the types of Node.
import {
  A2AServer,
  type Agent,
  type BytesPart,
  bytes,
  bytesOf,
  defineAgent,
  inputRequired,
  isTask,
  type Message,
  type Task,
} from 'parley-a2a';
import { type A2AStreamEvent, type A2ATask, A2AServer as CompatServer, TaskManager } from 'parley-a2a/compat';
import { StoreError, sqlite } from 'parley-a2a/sqlite';
import { fakeAgent, faulty, testAgent } from 'parley-a2a/testing';
import type { JSONRPCResponse, TaskStatusUpdateEvent } from 'parley-a2a/v0_3';

const translator = defineAgent({
  name: 'translator',
  description: 'Translates',
  version: '1.0.0',
  skills: [
    { id: 'to-french', name: 'French', description: 'Into French', tags: ['french'] },
    { id: 'to-german', name: 'German', description: 'Into German', tags: ['german'] },
  ],
  async *run(task) {
    const skill: 'to-french' | 'to-german' | undefined = task.skill;
    if (!skill) return inputRequired('Into which language?');
    task.signal.throwIfAborted();
    yield `${skill}: ${task.text}`;
    yield bytes('…', { mediaType: 'text/plain', filename: 'translation.txt' });
    return undefined;
  },
});

export const agents: readonly Agent[] = [translator];
export const server: A2AServer = new A2AServer({ agents: [translator], store: sqlite('tasks.db', { writer: 'loop' }) });
export const respond: (request: Request) => Promise<Response> = server.fetch;

export function idOf(answer: Task | Message): string {
  return isTask(answer) ? answer.id : answer.messageId;
}

export function blobOf(part: BytesPart): Blob {
  return new Blob([bytesOf(part)], { type: part.mediaType });
}

export function isInUse(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'IN_USE';
}

export async function tested(): Promise<string> {
  const remote = fakeAgent(['one', { wait: 1 }, { state: 'completed', message: 'Done' }]);
  await using kit = testAgent(translator, { client: { fetch: faulty(remote.fetch, { dropAt: 1 }) } });
  return await kit.client.run('hello');
}

// @ts-expect-error: a server needs its agents
new A2AServer({});

const cogitator = { run: async () => ({ output: 'Done', structured: { pages: 3 } }) };
const compatible = new CompatServer({ agents: { finder: { name: 'Finder' }, translator }, cogitator });
export const events: AsyncGenerator<A2AStreamEvent> = compatible.handleJsonRpcStream({});
export const driven: Promise<A2ATask> = new TaskManager().createTask({ role: 'user', parts: [] });

export function isFinal(frame: JSONRPCResponse<TaskStatusUpdateEvent>): boolean {
  return 'error' in frame || frame.result.final;
}
