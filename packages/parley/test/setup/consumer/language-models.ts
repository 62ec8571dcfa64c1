import { generateText, isStepCount, type LanguageModel, streamText, type ToolSet } from 'ai';
import { A2AClient } from 'parley-a2a';
import { asTool, A2AClient as BrowserClient, skillTools } from 'parley-a2a/client';
import { a2aModel, llmAgent } from 'parley-a2a/llm';

// A program with the AI SDK: agents as tools and as models, as they are.

export const client = new A2AClient('http://127.0.0.1:4000');
export const model = a2aModel(client, { skill: 'report' });
export const models: LanguageModel[] = [model, a2aModel(new BrowserClient('http://127.0.0.1:4000'))];

export async function answer(prompt: string) {
  const tools = { reporter: client.asTool(), ...(await client.skillTools({ files: 'inline' })) } satisfies ToolSet;
  const result = await generateText({ model, tools, stopWhen: isStepCount(3), prompt });
  return { text: result.text, outputs: result.toolResults.map(({ output }) => output) };
}

export async function answerInBrowser(prompt: string, abortSignal: AbortSignal) {
  const browser = new BrowserClient('http://127.0.0.1:4000');
  const tools = { reporter: asTool(browser), ...(await skillTools(browser)) };
  return streamText({ model, tools, prompt, abortSignal, providerOptions: { a2a: { contextId: 'c-1' } } }).textStream;
}

export const writer = llmAgent({
  name: 'writer',
  description: 'Writes',
  version: '1.0.0',
  model,
  tools: { reporter: client.asTool() },
});
