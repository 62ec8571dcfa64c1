import { A2AServer, type A2AServerOptions, inputRequired } from 'parley-a2a';
import { onTestFinished } from 'vitest';
import type { Wire } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';

let release = gate();

/** Holds back the runs that `wait` begins from now on, until it is resolved. */
export function holdBack(): typeof release {
  release = gate();
  return release;
}

export const agent = agentOf(async function* (task) {
  if (task.history.length > 0) {
    yield `You said ${task.text}`;
    return undefined;
  }
  switch (task.text) {
    case 'words':
      return inputRequired('Which quarter?');
    case 'key': {
      const key = await task.ask({ prompt: 'Please provide your API key', sensitive: true });
      yield `The key has ${key.length} letters`;
      return undefined;
    }
    case 'plain':
      yield `You said ${await task.ask('Which quarter?')}`;
      return undefined;
    case 'twice':
      yield `${await task.ask('First?')}, ${await task.ask('Second?')}`;
      return undefined;
    case 'impatient':
      await task.ask({ prompt: 'Quick!', timeout: 50 });
      return undefined;
    case 'patient': {
      const given = await task.ask({ prompt: 'Anything?', timeout: 50, onTimeout: 'nothing' });
      await task.status('Continuing without client input...');
      yield given;
      return undefined;
    }
    case 'tool':
      yield `It is ${JSON.stringify(await task.tool('weather', { city: 'Oslo' }))}`;
      return undefined;
    case 'fail':
      yield 'half ';
      throw new Error('secret inner text');
    case 'wait':
      yield 'before ';
      await release.promise;
      yield 'after';
      return undefined;
    default:
      await task.status('Processing...');
      yield 'Analysis: ';
      yield 'Sales increased';
      yield ', by 15%';
      return undefined;
  }
});

export async function start(options: Partial<A2AServerOptions> = {}): Promise<string> {
  const server = new A2AServer({ agents: [agent], log: { error: () => {}, warn: () => {} }, ...options });
  onTestFinished(() => server.close());
  await server.listen({ port: 0 });
  return `${server.url}/api/a2a`;
}

export const message = (text: string, more: object = {}) => ({
  message: { kind: 'message', role: 'user', parts: [{ kind: 'text', text }], messageId: 'msg-1', ...more },
});

export const post = (url: string, body: unknown) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

export const call = (url: string, method: string, params: object, id: number | string = 1) =>
  post(url, { jsonrpc: '2.0', id, method, params });

/** Reads as the document's client does: line by line, what is not `data: ` is passed over. */
export async function* streamMessage(response: Response): AsyncGenerator<Wire> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let buffer = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    buffer += decoder.decode(value, { stream: true });
    const lines = buffer.split('\n');
    buffer = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6));
  }
}

export async function allOf(response: Response): Promise<Wire[]> {
  const frames: Wire[] = [];
  for await (const frame of streamMessage(response)) frames.push(frame);
  return frames;
}

export const artifactText = (frames: readonly Wire[]) =>
  frames.map(({ result }) => result?.artifact?.parts?.[0]?.text ?? '').join('');
