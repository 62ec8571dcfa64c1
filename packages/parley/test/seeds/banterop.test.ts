import { readFileSync } from 'node:fs';
import { A2AClient, A2AServer, type A2AServerOptions, inputRequired, isTask, textOf } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { decodeEvent, encodeEvent } from '../../src/dialects/v0_3/task/events.ts';
import { decodeTask, encodeTask } from '../../src/dialects/v0_3/task/tasks.ts';
import { violationsOf } from '../dialects/support/closed-schema.ts';
import { SCHEMA_V03 } from '../dialects/support/schema-v03.ts';
import type { Wire } from '../support/rpc.ts';
import { agentOf, hang } from '../support/script.ts';

const PAYLOADS: Wire = JSON.parse(readFileSync(new URL('../corpus/banterop/payloads.json', import.meta.url), 'utf8'));

const bridge = agentOf(
  async function* (task) {
    if (task.text === 'hang') await hang(task);
    if (task.text === 'ask') return inputRequired('What else?');
    yield 'one, ';
    yield 'two';
    return undefined;
  },
  {
    name: 'bridge',
    description: PAYLOADS.card.description,
    version: '0.1.0',
    skills: PAYLOADS.card.skills,
    inputModes: PAYLOADS.card.defaultInputModes,
    outputModes: PAYLOADS.card.defaultOutputModes,
  },
);

async function start(options: Partial<A2AServerOptions> = {}): Promise<string> {
  const server = new A2AServer({ agents: [bridge], ...options });
  onTestFinished(() => server.close());
  await server.listen({ port: 0 });
  return `${server.url}/a2a/v1`;
}

const message = (text: string, more: object = {}) => ({
  message: { kind: 'message', role: 'user', messageId: 'm-1', parts: [{ kind: 'text', text }], ...more },
});

async function post(url: string, method: string, params: object, id: unknown = 7): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

async function answer(url: string, method: string, params: object): Promise<Wire> {
  const response = await post(url, method, params);
  expect(response.status).toBe(200);
  const body: Wire = await response.json();
  expect(body).toMatchObject({ jsonrpc: '2.0', id: 7 });
  return body;
}

async function frames(url: string, method: string, params: object): Promise<{ response: Response; all: Wire[] }> {
  const response = await post(url, method, params, 'frame-id');
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '));
  return { response, all: lines.map((line) => JSON.parse(line.slice('data: '.length))) };
}

describe('the report’s payloads', () => {
  it('are read and written as they stand (S4.1) (S4.6)', () => {
    for (const { result } of [PAYLOADS.success, PAYLOADS.history]) {
      expect(encodeTask(decodeTask(result))).toEqual(result);
    }
    const { result } = PAYLOADS.frame;
    expect(encodeEvent(decodeEvent(result))).toEqual(result);
  });

  it('have the card that is served at the stable address (S4.5)', async () => {
    const url = await start();
    for (const place of [`${url}/.well-known/agent-card.json`]) {
      const card: Wire = await (await fetch(place)).json();
      const { capabilities, name: _, ...example } = PAYLOADS.card;
      const interfaces = [{ url, transport: 'JSONRPC' }];
      expect(card).toMatchObject({ ...example, url, additionalInterfaces: interfaces });
      expect(card.capabilities).toMatchObject(capabilities);
      expect(violationsOf(SCHEMA_V03, 'AgentCard', card)).toEqual([]);
    }
    const host: Wire = await (await fetch(new URL('/.well-known/agent-card.json', url))).json();
    expect(host).toMatchObject({ preferredTransport: 'JSONRPC', capabilities: { streaming: true } });
    expect(host.additionalInterfaces).toContainEqual({ url, transport: 'JSONRPC' });
  });
});

describe('the report’s checklist at /a2a/v1', () => {
  it('message/send gives a Task, and history is cut as asked (S4.2)', async () => {
    const url = await start();
    const { result } = await answer(url, 'message/send', message('hello'));
    expect(violationsOf(SCHEMA_V03, 'Task', result)).toEqual([]);
    expect(result.status.state).toBe('completed');
    const got = await answer(url, 'tasks/get', { id: result.id, historyLength: 0 });
    expect(got.result.history).toEqual([]);
  });

  it('a message to a finished task is -32002, to an unknown one -32001 (S4.2)', async () => {
    const url = await start();
    const { result } = await answer(url, 'message/send', message('hello'));
    for (const [taskId, code] of [
      [result.id, -32002],
      ['none', -32001],
    ]) {
      expect((await answer(url, 'message/send', message('again', { taskId }))).error.code).toBe(code);
      const { all } = await frames(url, 'message/stream', message('again', { taskId }));
      expect(all).toMatchObject([{ jsonrpc: '2.0', id: 'frame-id', error: { code } }]);
    }
    const official = await answer(url.replace('/v1', ''), 'message/send', message('again', { taskId: result.id }));
    expect(official.error.code).toBe(-32004);
  });

  it('tasks/cancel gives the final Task, or -32001, or -32002 (S4.2)', async () => {
    const url = await start();
    const { result } = await answer(url, 'message/send', { ...message('hang'), configuration: { blocking: false } });
    expect((await answer(url, 'tasks/cancel', { id: result.id })).result.status.state).toBe('canceled');
    expect((await answer(url, 'tasks/cancel', { id: result.id })).error.code).toBe(-32002);
    expect((await answer(url, 'tasks/cancel', { id: 'none' })).error.code).toBe(-32001);
  });

  it('every frame is an exact JSON-RPC response, the last one final, with headers for proxies (S4.1) (S4.4)', async () => {
    const { response, all } = await frames(await start(), 'message/stream', message('hello'));
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    for (const frame of all) {
      expect(Object.keys(frame)).toEqual(['jsonrpc', 'id', 'result']);
      expect(frame.id).toBe('frame-id');
      expect(violationsOf(SCHEMA_V03, 'StreamEvent', frame.result)).toEqual([]);
    }
    expect(all[0].result.kind).toBe('task');
    expect(all.at(-1).result).toMatchObject({ kind: 'status-update', status: { state: 'completed' }, final: true });
    expect(all.filter(({ result }) => result.final === true)).toHaveLength(1);
  });

  it('bytes and uri together are refused, bad envelopes have their codes (S4.3)', async () => {
    const url = await start();
    const file = { kind: 'file', file: { bytes: 'aGk=', uri: 'https://example.com/hi' } };
    const { error } = await answer(url, 'message/send', message('', { parts: [file] }));
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('message.parts[0].file') });
    expect((await answer(url, 'message/sned', {})).error.code).toBe(-32601);
    const broken = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' });
    expect(await broken.json()).toMatchObject({ id: null, error: { code: -32700 } });
  });

  it('the latest message is in the status, as a setting (S4.6)', async () => {
    const url = await start({ statusMessageSource: 'latest' });
    const { result } = await answer(url, 'message/send', message('ask'));
    expect(result.status).toMatchObject({ state: 'input-required', message: { parts: [{ text: 'What else?' }] } });
    expect(result.history.map((said: Wire) => said.parts[0].text)).toEqual(['ask']);
  });

  it('the client can be told to speak it', async () => {
    const url = await start();
    const client = new A2AClient(url, { protocol: 'banterop' });
    const task = await client.sendMessage('hello');
    expect(textOf(task)).toBe('one, two');
    const stream = client.sendMessageStream('hello');
    const pieces: string[] = [];
    for await (const piece of stream.textStream) pieces.push(piece);
    expect(pieces).toEqual(['one, ', 'two']);
    const taskId = isTask(task) ? task.id : undefined;
    await expect(client.sendMessage('more', { taskId })).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' });
    await expect(client.cancelTask(taskId ?? '')).rejects.toMatchObject({ code: 'TASK_NOT_CANCELABLE' });
  });
});
