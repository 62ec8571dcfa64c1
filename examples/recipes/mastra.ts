import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { defineAgent } from 'parley-a2a';
import { z } from 'zod';

const { OPENAI_BASE_URL: url, OPENAI_API_KEY: apiKey, PARLEY_MODEL: modelId = 'gpt-5.1' } = process.env;
const model = { providerId: 'openai', modelId, url, apiKey };
const inputSchema = z.object({ city: z.string() });
const execute = async ({ city }: z.infer<typeof inputSchema>) => `21 °C and sunny in ${city}`;
const weather = createTool({ id: 'weather', description: 'The weather in a city, now', inputSchema, execute });
const mastra = new Agent({ id: 'forecaster', name: 'Forecaster', instructions: '', model, tools: { weather } });

export default defineAgent({
  name: 'forecaster',
  description: 'Tells the weather',
  version: '1.0.0',
  async *run({ text, signal }) {
    const output = await mastra.stream(text, { abortSignal: signal });
    yield* output.textStream;
    if (output.error) throw output.error; // the text alone would just end
  },
});
