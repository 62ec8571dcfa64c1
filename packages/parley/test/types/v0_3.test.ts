import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { A2AServer, bytes, defineAgent, json } from 'parley-a2a';
import type * as v03 from 'parley-a2a/v0_3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { filesOf, type Rejected, type Sample } from '../dialects/support/corpus.ts';
import { ROOT } from '../setup/support/repository.ts';
import { compiles } from './compiles.ts';

const SOURCE = fileURLToPath(new URL('../../src/v0_3/index.ts', import.meta.url));

/** A value that must have a type, or must not. */
interface Typed {
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
}

/** The names of those that the compiler refuses: each is written into a program of its own line. */
function refused(values: readonly Typed[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'parley-v0_3-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lines = values.map(({ type, value }, at) => `export const v${at}: v03.${type} = ${JSON.stringify(value)};`);
  writeFileSync(
    join(folder, 'values.ts'),
    [`import type * as v03 from ${JSON.stringify(SOURCE)};`, ...lines].join('\n'),
  );
  const options = '--noEmit --strict --exactOptionalPropertyTypes --allowImportingTsExtensions --module nodenext'.split(
    ' ',
  );
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, ...options, '--types', '', 'values.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const numbers = [...stdout.matchAll(/^values\.ts\((\d+),/gm)].map(([, line]) => Number(line));
  if (numbers.length === 0 && `${stdout}${stderr}`.includes('error')) throw new Error(stdout + stderr);
  return [...new Set(numbers)].map((line) => values[line - 2]?.name ?? `line ${line}`);
}

/** The samples of the corpus as 0.3 writes them; what is only read leniently is no 0.3. */
function samplesOf(folder: string, type: string, lenient: readonly string[] = []): readonly Typed[] {
  return filesOf<Sample>('v0_3', folder)
    .filter(({ name }) => !lenient.includes(name.slice(folder.length + 1, -'.json'.length)))
    .map(({ name, content }) => ({ name, type, value: content.written ?? content.wire }));
}

const REQUESTS: Readonly<Record<string, string>> = {
  sendMessage: 'MessageSendParams',
  getTask: 'TaskQueryParams',
  cancelTask: 'TaskIdParams',
};

describe('the types of parley-a2a/v0_3 (S4.2)', () => {
  it('are those of the payloads of the corpus', () => {
    const samples = [
      ...samplesOf('Part', 'Part', ['text-unknown-members']),
      ...samplesOf('Message', 'Message'),
      ...samplesOf('Task', 'Task'),
      ...samplesOf('StreamEvent', 'A2AStreamEvent'),
      ...samplesOf('AgentCard', 'AgentCard'),
      ...samplesOf('TaskPushNotificationConfig', 'TaskPushNotificationConfig'),
      ...samplesOf('MessageSendParams', 'MessageSendParams', ['snake-case', 'blocking-null', 'least']),
      ...samplesOf('TaskQueryParams', 'TaskQueryParams', ['snake-case', 'no-history']),
      ...samplesOf('TaskIdParams', 'TaskIdParams', ['snake-case']),
      ...samplesOf('GetTaskPushNotificationConfigParams', 'GetTaskPushNotificationConfigParams', ['snake-case']),
      ...samplesOf('ListTaskPushNotificationConfigParams', 'ListTaskPushNotificationConfigParams'),
      ...samplesOf('DeleteTaskPushNotificationConfigParams', 'DeleteTaskPushNotificationConfigParams'),
    ];
    expect(samples.length).toBeGreaterThan(70);
    expect(refused(samples)).toEqual([]);
  });

  it('refuse what a server refuses', () => {
    const values = filesOf<Rejected>('v0_3', 'rejected').flatMap(({ name, content }) => {
      const type = REQUESTS[content.operation];
      return type ? [{ name, type, value: content.params }] : [];
    });
    const names = new Set(refused(values));
    // What no type can tell: what is in a text, how long a list is, how small a number.
    expect(values.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([
      'rejected/get-history-negative.json',
      'rejected/part-file-bytes-not-base64.json',
      'rejected/send-history-fraction.json',
      'rejected/send-history-negative.json',
      'rejected/send-parts-empty.json',
      'rejected/send-push-schemes-empty.json',
    ]);
    expect(names.size).toBeGreaterThan(10);
  });

  it('are those of what our server answers', async () => {
    const agent = defineAgent({
      name: 'types',
      description: 'Has everything',
      version: '1.0.0',
      async *run(task) {
        await task.status('Working');
        if (task.text === 'ask') yield `answered ${await task.ask('Which?')}`;
        yield 'one';
        yield bytes('file', { filename: 'a.txt', mediaType: 'text/plain' });
        yield json({ two: 2 });
      },
    });
    const server = new A2AServer({ agents: [agent], url: 'https://agents.example.com' });
    onTestFinished(() => server.close());
    const message = (text: string): v03.Message => ({
      kind: 'message',
      role: 'user',
      messageId: 'm-1',
      parts: [{ kind: 'text', text }],
    });
    const post = async (body: v03.A2ARequest) => {
      const headers = { 'content-type': 'application/json', 'a2a-version': '0.3' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await server.fetch(new Request('https://agents.example.com/a2a', init))).text();
    };
    const sent = JSON.parse(
      await post({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message: message('ask') } }),
    );
    const streamed = await post({
      jsonrpc: '2.0',
      id: 2,
      method: 'message/stream',
      params: { message: message('go') },
    });
    const missing = await post({ jsonrpc: '2.0', id: 3, method: 'tasks/get', params: { id: 'none' } });
    const headers = { 'a2a-version': '0.3' };
    const card = await server.fetch(new Request('https://agents.example.com/.well-known/agent-card.json', { headers }));
    const frames = [...streamed.matchAll(/^data: (.*)$/gm)].map(([, data = '']): unknown => JSON.parse(data));
    const values = [
      { name: 'sent', type: 'SendMessageSuccessResponse', value: sent },
      ...frames.map((value) => ({ name: 'frame', type: 'SendStreamingMessageSuccessResponse', value })),
      { name: 'missing', type: 'JSONRPCErrorResponse', value: JSON.parse(missing) },
      { name: 'error', type: 'TaskNotFoundError', value: JSON.parse(missing).error },
      { name: 'card', type: 'AgentCard', value: await card.json() },
    ];
    expect(values.length).toBeGreaterThan(8);
    expect(refused(values)).toEqual([]);
  });
});

/** A peer in the manner of document 004: written against the names of its reference alone. */
compiles((body: v03.A2ARequest, tasks: Map<string, v03.Task>, write: (frame: v03.JSONRPCResponse) => void) => {
  const { id } = body;
  const fail = (code: v03.A2AErrorCode, message: string): v03.JSONRPCErrorResponse => {
    const error: v03.A2AError = { code, message };
    return { jsonrpc: '2.0', id, error };
  };
  const found = (params: v03.TaskIdParams): v03.Task | undefined => tasks.get(params.id);
  switch (body.method) {
    case 'message/send': {
      const { message, configuration }: v03.MessageSendParams = body.params;
      const status: v03.TaskStatus = { state: 'submitted', timestamp: new Date().toISOString() };
      const task: v03.Task = { kind: 'task', id: 't-1', contextId: message.contextId ?? 'c-1', status };
      task.history = [];
      task.history.push({ ...message, taskId: task.id });
      if (configuration?.historyLength !== undefined) task.history = task.history.slice(-configuration.historyLength);
      const answer: v03.SendMessageSuccessResponse = { jsonrpc: '2.0', id, result: task };
      return write(answer);
    }
    case 'tasks/get': {
      const task = found(body.params);
      if (!task) return write(fail(-32001, 'Task not found'));
      const answer: v03.GetTaskSuccessResponse = { jsonrpc: '2.0', id, result: task };
      return write(answer);
    }
    case 'tasks/cancel': {
      const task = found(body.params);
      if (!task) return write(fail(-32001, 'Task not found'));
      task.status = { state: 'canceled' };
      return write({ jsonrpc: '2.0', id, result: task } satisfies v03.CancelTaskSuccessResponse);
    }
    case 'message/stream':
    case 'tasks/resubscribe': {
      const ids = { taskId: 't-1', contextId: 'c-1' };
      const event: v03.TaskStatusUpdateEvent = {
        kind: 'status-update',
        ...ids,
        status: { state: 'completed' },
        final: true,
      };
      return write({ jsonrpc: '2.0', id, result: event } satisfies v03.SendStreamingMessageSuccessResponse);
    }
    case 'tasks/pushNotificationConfig/set':
    case 'tasks/pushNotificationConfig/get':
    case 'tasks/pushNotificationConfig/list':
    case 'tasks/pushNotificationConfig/delete':
    case 'agent/getAuthenticatedExtendedCard':
      return write(fail(-32601, `Method not found: ${body.method}`));
  }
});

compiles((part: v03.Part): string => {
  if (part.kind === 'text') return part.text;
  if (part.kind === 'data') return String(part.data.total);
  const { file } = part;
  return file.bytes === undefined ? file.uri : atob(file.bytes);
});

compiles(() => {
  // @ts-expect-error: a file has bytes or an address
  const both: v03.FilePart = { kind: 'file', file: { bytes: 'aGk=', uri: 'https://example.com' } };
  // @ts-expect-error: data is an object
  const list: v03.DataPart = { kind: 'data', data: [1] };
  // @ts-expect-error: a state of another dialect
  const state: v03.TaskState = 'cancelled';
  // @ts-expect-error: a message says what it is
  const message: v03.Message = { role: 'user', parts: [], messageId: 'm' };
  return [both, list, state, message];
});
