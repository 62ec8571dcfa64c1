import { createServer } from 'node:http';
import express from 'express';
import { A2AServer, type A2AServerConfig, type A2AStreamEvent, type AgentCard } from 'parley-a2a/compat';
import { a2aExpress } from 'parley-a2a/express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listening } from '../adapters/support/host.ts';
import { eventually } from '../support/eventually.ts';
import { agentOf, hang } from '../support/script.ts';

const researcher = { name: 'Researcher', config: { description: 'Finds things' }, tools: [] };
const writer = { name: 'Writer', config: { description: 'Writes' }, tools: [] };
const hello = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] };

/** An app of Express as the document's users write it (S3, Task 13). */
async function app(more: Partial<A2AServerConfig> = {}): Promise<{ readonly server: A2AServer; readonly url: string }> {
  const log = { error: () => undefined, warn: () => undefined };
  const cogitator = { run: async () => ({ output: 'Found it', structured: { pages: 3 } }) };
  const server = new A2AServer({ agents: { researcher, writer }, cogitator, log, ...more });
  const { url, stop } = await listening(createServer(express().use(a2aExpress(server))));
  onTestFinished(() => server.close().then(stop));
  return { server, url };
}

function post(url: string, method: string, params: unknown, type = 'application/json'): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return fetch(`${url}/a2a`, { method: 'POST', headers: { 'content-type': type }, body });
}

describe('what the document’s clients get over HTTP', () => {
  it.each([
    'message/sendStream',
    'message/stream',
  ])('%s is a stream of events as they are, with [DONE] at its end (S3, Tasks 11 and 13) [seed:S3.10]', async (method) => {
    const { url } = await app();
    const response = await post(url, method, { message: hello });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '));
    const frames = lines.map((line) => line.slice('data: '.length));
    expect(frames.pop()).toBe('[DONE]');
    const events = frames.map((frame) => JSON.parse(frame) as A2AStreamEvent);
    expect(events[0]).toMatchObject({ type: 'status-update', status: { state: 'working' } });
    expect(events.at(-1)).toMatchObject({ type: 'status-update', status: { state: 'completed' } });
    const parts = events.flatMap((event) => (event.type === 'artifact-update' ? event.artifact.parts : []));
    expect(parts).toContainEqual({ type: 'data', mimeType: 'application/json', data: { pages: 3 } });
    for (const event of events) expect(event).not.toHaveProperty('jsonrpc');
  });

  it('a stream that is ended before its task is not said to be done', async () => {
    const patient = agentOf((task) => hang(task), { name: 'patient', resumable: true });
    const { server, url } = await app({ agents: { patient }, drainTimeout: 0 });
    const response = await post(url, 'message/sendStream', { message: hello });
    const text = response.text();
    await eventually(() => server.load.subscriptions).toBe(1);
    await server.close();
    expect(await text).toContain('"state":"working"');
    expect(await text).not.toContain('[DONE]');
  });

  it('a stream that cannot begin is an error of JSON-RPC', async () => {
    const { url } = await app();
    const response = await post(url, 'message/sendStream', { message: { role: 'user', parts: [] } });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code: -32602 } });
  });

  it.each([
    undefined,
    'writer',
  ])('the cards are those of getAgentCards(), the default agent’s first (S3, Tasks 5 and 13) [seed:S3.4]', async (chosen) => {
    const { server, url } = await app({ default: chosen, cardUrl: 'https://agents.example.com' });
    const response = await fetch(`${url}/.well-known/agent.json`);
    const cards = (await response.json()) as AgentCard[];
    expect(cards).toEqual(server.getAgentCards());
    expect(cards[0]).toEqual({
      name: chosen ? 'Writer' : 'Researcher',
      description: chosen ? 'Writes' : 'Finds things',
      url: 'https://agents.example.com/a2a',
      version: '0.3',
      capabilities: { streaming: true, pushNotifications: false },
      skills: [],
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain', 'application/json'],
    });
  });

  it('a body of another type is refused with 400 (S3, Task 13); a part of another type is not', async () => {
    const { url } = await app();
    const refused = await post(url, 'message/send', { message: hello }, 'text/plain');
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32005 } });
    const pdf = { type: 'file', uri: 'https://example.com/file.pdf', mimeType: 'application/pdf' };
    const answered = await post(url, 'message/send', { message: { role: 'user', parts: [pdf] } });
    expect(answered.status).toBe(200);
    expect(await answered.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32005 } });
  });
});
