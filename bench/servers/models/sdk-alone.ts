import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOfBody } from 'node:stream/consumers';
import { isStepCount, streamText } from 'ai';
import { scriptModel, scriptTools } from './script-model.ts';

const MOST_STEPS = 20;

/**
 * The loop of `streamText` without an agent around it: each request runs it to its end, and only then is told how many
 * tokens there were, as so many events in one write. So nothing of a token's cost is that of HTTP.
 */
export function startSdkAlone(): Promise<number> {
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => void response.writeHead(500).end(String(error)));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params } = JSON.parse(await textOfBody(request));
  const chunks = await countTokens(params.message.parts[0].text);
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: x\n\n'.repeat(chunks));
}

async function countTokens(prompt: string): Promise<number> {
  let count = 0;
  const { fullStream } = streamText({
    model: scriptModel,
    prompt,
    tools: scriptTools,
    stopWhen: isStepCount(MOST_STEPS),
  });
  for await (const part of fullStream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') count++;
  }
  return count;
}
