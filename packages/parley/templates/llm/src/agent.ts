import { type Agent, defineAgent, reject } from 'parley-a2a';
import { type LlmAgentOptions, llmAgent } from 'parley-a2a/llm';
import { clock } from './tools.ts';

const about = {
  name: 'my-agent',
  description: 'Answers questions, and knows what time it is anywhere',
  version: '0.1.0',
};

/** The agent with a language model: without `model`, the one that the environment names (README.md). */
export function createAgent(options: Pick<LlmAgentOptions, 'model'> = {}): Agent {
  return llmAgent({ ...about, instructions: 'Answer in one or two sentences.', tools: { clock }, ...options });
}

/** Stands in while there is no model, so that the server starts and says what is missing. */
const withoutModel = defineAgent({
  ...about,
  run() {
    throw reject(
      'There is no language model: set PARLEY_MODEL, and OPENAI_API_KEY or OPENAI_BASE_URL, and start again',
    );
  },
});

export const agent = process.env.PARLEY_MODEL ? createAgent() : withoutModel;
