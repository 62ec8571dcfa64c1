import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { A2AClient, textOf } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { refusedDemo, startDemo } from '../setup/support/demo.ts';

interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** A server that speaks as much of the protocol of OpenAI as the writer needs: one tool call, then an answer. */
async function startModel(): Promise<{ readonly url: string; readonly asked: Asked[]; readonly keys: unknown[] }> {
  const asked: Asked[] = [];
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const question = JSON.parse(body) as Asked;
      asked.push(question);
      keys.push(request.headers.authorization);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const isFirst = question.messages.at(-1)?.role === 'user';
      for (const delta of isFirst ? [CALL] : [{ content: 'Sales ' }, { content: 'grew.' }]) send(response, delta);
      send(response, {}, isFirst ? 'tool_calls' : 'stop');
      response.end('data: [DONE]\n\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked, keys };
}

const CALL = {
  tool_calls: [
    { index: 0, id: 'c1', type: 'function', function: { name: 'analyst', arguments: '{"task":"Figures for Q4"}' } },
  ],
};

function send(response: { write(text: string): unknown }, delta: object, finish_reason: string | null = null): void {
  const usage = finish_reason ? { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } : null;
  const chunk = { id: 'r', object: 'chat.completion.chunk', created: 1, model: 'tiny', usage };
  response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
}

describe('the demo with a language model', () => {
  it('gains a writer that uses the analyst', async () => {
    const { url, asked, keys } = await startModel();
    const environment = {
      PARLEY_MODEL: 'tiny',
      OPENAI_BASE_URL: url,
      OPENAI_API_KEY: 'k-1',
      PARLEY_DB: 'memory',
      PORT: '0',
    };
    const demo = await startDemo(environment);
    expect(demo.greeting).toContain('lab, writer');
    expect(demo.greeting).not.toContain('k-1');
    const client = await A2AClient.connect(`${demo.url}/a2a/agents/writer`);
    const stream = client.sendMessageStream('How did Q4 go?');
    const task = await stream.task;
    expect(task.status.state).toBe('completed');
    expect(textOf(task)).toBe('Sales grew.');
    expect(task.metadata?.usage).toMatchObject({ inputTokens: 14, outputTokens: 6, modelCalls: 2 });
    expect(asked.map(({ model }) => model)).toEqual(['tiny', 'tiny']);
    expect(keys).toEqual(['Bearer k-1', 'Bearer k-1']);
    expect(JSON.stringify(asked[1]?.messages.at(-1))).toContain('Q4 2025');
    const said = task.history.map((message) => textOf(message));
    expect(said).toEqual(['How did Q4 go?', 'Calling analyst…', 'Reading sales.csv…', 'Analysing Q4…']);
  });

  it('says in one line what is missing', async () => {
    const { code, stderr } = await refusedDemo({
      PARLEY_MODEL: 'gpt',
      OPENAI_API_KEY: '',
      PARLEY_DB: 'memory',
      PORT: '0',
    });
    expect(code).toBe(1);
    expect(stderr.trim()).toMatch(/^parley: OPENAI_API_KEY is missing; .*\.$/);
  });
});
