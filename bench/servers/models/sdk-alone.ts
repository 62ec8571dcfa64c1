import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOfBody } from 'node:stream/consumers';
import { isStepCount, streamText } from 'ai';
import { scriptModel, scriptTools } from './script-model.ts';

const MOST_STEPS = 20;

/** A frame is about as long as that of a token in A2A. */
const FRAME_PADDING = 300;

/**
 * The loop of `streamText` without an agent around it: each request runs it to its end, and only then is told how many
 * tokens there were, as so many events in one write. So nothing of a token's cost is that of HTTP.
 *
 * @param writesEach every token is written when it comes: what streaming costs with no runtime at all
 */
export function startSdkAlone({ writesEach }: { writesEach: boolean }): Promise<number> {
  const respond = writesEach ? respondAtOnce : respondAtEnd;
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => void response.writeHead(500).end(String(error)));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

async function respondAtEnd(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let chunks = 0;
  await runLoop(await promptOf(request), () => chunks++);
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: x\n\n'.repeat(chunks));
}

async function respondAtOnce(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const prompt = await promptOf(request);
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  await runLoop(prompt, (token) => response.write(`data: ${token.padEnd(FRAME_PADDING)}\n\n`));
  response.end();
}

async function promptOf(request: IncomingMessage): Promise<string> {
  const { params } = JSON.parse(await textOfBody(request));
  return params.message.parts[0].text;
}

async function runLoop(prompt: string, onToken: (token: string) => void): Promise<void> {
  const { fullStream } = streamText({
    model: scriptModel,
    prompt,
    tools: scriptTools,
    stopWhen: isStepCount(MOST_STEPS),
  });
  for await (const part of fullStream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') onToken(part.text);
  }
}
