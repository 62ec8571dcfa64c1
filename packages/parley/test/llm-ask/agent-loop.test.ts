import { join } from 'node:path';
import { type ToolSet, tool } from 'ai';
import { A2AServer } from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';
import { mcpTools } from 'parley-a2a/mcp';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { scriptedModel, talkOf } from '../llm/support/mock-model.ts';
import type { Wire } from '../support/rpc.ts';

const MCP_SERVER = join(import.meta.dirname, '../mcp/support/new-server.ts');

/** The agent loop of the document: tools that are local functions, of an MCP server, and of the client. */
async function startAgent() {
  const calculator = await mcpTools({ command: process.execPath, args: [MCP_SERVER] });
  onTestFinished(() => calculator.close());
  const { add } = calculator as ToolSet;
  if (!add) throw new Error('The MCP server has no such tool');
  const model = scriptedModel(
    {
      text: ['Let me see.'],
      calls: [
        { id: 'c1', name: 'weather', input: { city: 'Oslo' } },
        { id: 'c2', name: 'add', input: { a: 2, b: 3 } },
        { id: 'c3', name: 'location', input: {} },
        { id: 'c4', name: 'calendar', input: { day: 'Monday' } },
      ],
    },
    { text: ['One more thing.'], calls: [{ id: 'c5', name: 'calendar', input: { day: 'Tuesday' } }] },
    { text: ['Come ', 'on Tuesday.'] },
  );
  const agent = llmAgent({
    name: 'assistant',
    description: 'Finds a day for a walk',
    version: '1.0.0',
    model,
    tools: {
      add,
      weather: tool({ inputSchema: z.object({ city: z.string() }), execute: ({ city }) => `sunny in ${city}` }),
      location: tool({ description: 'Where the user is', inputSchema: z.object({}) }),
      calendar: tool({ description: "The user's calendar", inputSchema: z.object({ day: z.string() }) }),
    },
  });
  const server = new A2AServer({ agents: [agent], log: { error: () => {}, warn: () => {} } });
  onTestFinished(() => server.close());
  await server.listen({ port: 0 });
  return { url: `${server.url}/api/a2a`, model };
}

/** What the document's client does with a stream, line by line. */
async function* framesOf(url: string, message: object, id: number): AsyncGenerator<Wire> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'message/stream', params: { message } }),
  });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  let buffer = '';
  for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const lines = (buffer + piece).split('\n');
    buffer = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6));
  }
}

async function allOf(frames: AsyncIterable<Wire>): Promise<Wire[]> {
  const all: Wire[] = [];
  for await (const frame of frames) all.push(frame);
  return all;
}

const CLIENT_TOOLS: Readonly<Record<string, (args: Wire) => unknown>> = {
  location: () => ({ value: 'at home' }),
  calendar: ({ day }) => ({ day, free: day === 'Tuesday' }),
};

it('the agent loop of the document runs with tools of the client, which declares none [seed:S0.17] [seed:S0.7]', async () => {
  const { url, model } = await startAgent();
  const seen: Wire[] = [];
  const answered = new Set<string>();
  const answers: Promise<Wire[]>[] = [];
  const sent = {
    kind: 'message',
    role: 'user',
    parts: [{ kind: 'text', text: 'When shall we walk?' }],
    messageId: 'm-1',
  };
  for await (const frame of framesOf(url, sent, 1)) {
    seen.push(frame);
    const { kind, status, taskId } = frame.result;
    const request = kind === 'status-update' && status.state === 'input-required' && status.message?.inputRequest;
    if (!request || answered.has(request.requestId)) continue;
    answered.add(request.requestId);
    const use = status.message.parts.find((part: Wire) => part.toolUseId === request.requestId);
    const result = CLIENT_TOOLS[use.name]?.(use.args);
    const parts = [
      { kind: 'text', text: 'Tool result:' },
      { kind: 'tool-result', toolUseId: request.requestId, result },
    ];
    const message = {
      kind: 'message',
      role: 'user',
      parts,
      messageId: crypto.randomUUID(),
      referenceTaskIds: [taskId],
    };
    answers.push(allOf(framesOf(url, message, 3)));
  }
  // One stream sees it all, and the streams of the answers end with it.
  expect(seen[0].result).toMatchObject({ kind: 'task', status: { state: 'submitted' } });
  const updates = seen.flatMap(({ result }) => (result.kind === 'status-update' ? [result] : []));
  const asked = updates.filter(({ status }) => status.state === 'input-required');
  expect(asked.map(({ final }) => final)).not.toContain(true);
  expect(asked[0].status.message.inputRequests).toHaveLength(2);
  expect(updates.at(-1)).toMatchObject({ status: { state: 'completed' }, final: true });
  expect(updates.filter(({ final }) => final)).toHaveLength(1);
  const text = seen.map(({ result }) => result.artifact?.parts?.[0]?.text ?? '').join('');
  expect(text).toBe('Let me see.\n\nOne more thing.\n\nCome on Tuesday.');
  expect(answered.size).toBe(3);
  for (const frames of await Promise.all(answers)) {
    expect(frames.at(-1)).toMatchObject({ id: 3, result: { status: { state: 'completed' }, final: true } });
  }
  expect(talkOf(model.prompts[1]).at(-1)).toBe(
    'tool: "sunny in Oslo" "5" {"value":"at home"} {"day":"Monday","free":false}',
  );
  expect(talkOf(model.prompts[2]).at(-1)).toBe('tool: {"day":"Tuesday","free":true}');
});
