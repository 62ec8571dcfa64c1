import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { A2AServerOptions } from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';
import { onTestFinished } from 'vitest';
import { type ModelScript, type OpenAIServer, openaiServer } from '../support/openai/openai-server.ts';
import { type RpcPeer, startServer, type Wire } from '../support/rpc.ts';

/** Looks like a key of OpenAI; it must never be seen by a caller. */
export const API_KEY = 'sk-not-for-callers';

type LlmOptions = Parameters<typeof llmAgent>[0];

export interface Hosted {
  readonly model: OpenAIServer;
  readonly peer: RpcPeer;
  /** What the server has told its operator. */
  readonly logged: Wire[];
}

/** A language-model agent on a model server that does what the script says. Attempts follow each other without a pause. */
export async function host(
  script: ModelScript,
  agent: Partial<LlmOptions> = {},
  server: Partial<A2AServerOptions> = {},
): Promise<Hosted> {
  const model = await openaiServer(script, { apiKey: API_KEY });
  onTestFinished(() => model.close());
  return { model, ...startServer(agentOn(model.url, agent), server) };
}

export function agentOn(baseURL: string, more: Partial<LlmOptions> = {}) {
  const provider = createOpenAICompatible({ name: 'local', baseURL, apiKey: API_KEY, includeUsage: true });
  return llmAgent({
    name: 'talker',
    description: 'Talks',
    version: '1.0.0',
    model: provider('m-1'),
    ...more,
    limits: { firstDelay: 0, ...more.limits },
  });
}

/** The text of a status message. */
export function saidBy({ status }: Wire): string {
  return (status.message?.parts ?? []).map(({ text }: Wire) => text ?? '').join('');
}
