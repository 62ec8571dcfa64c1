import { A2AClient } from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';

const analyst = new A2AClient(process.env.ANALYST_URL ?? 'http://127.0.0.1:4000/a2a/agents/analyst');

export default llmAgent({
  name: 'writer',
  description: 'Writes about sales',
  version: '1.0.0',
  instructions: 'Get every figure from the analyst, and make none up.',
  tools: { analyst: analyst.asTool() }, // the model is the one that PARLEY_MODEL names
});
