import { isStepCount, streamText, tool } from 'ai';
import { defineAgent } from 'parley-a2a';
import { modelFromEnvironment } from 'parley-a2a/llm';
import { z } from 'zod';

const model = modelFromEnvironment(); // or any model of an AI SDK provider
const weather = tool({
  description: 'The weather in a city, now',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `21 °C and sunny in ${city}`,
});

export default defineAgent({
  name: 'forecaster',
  description: 'Tells the weather',
  version: '1.0.0',
  async *run({ text: prompt, signal: abortSignal }) {
    const { fullStream } = streamText({ model, tools: { weather }, stopWhen: isStepCount(5), prompt, abortSignal });
    for await (const part of fullStream) {
      if (part.type === 'text-delta') yield part.text;
      if (part.type === 'error') throw part.error;
    }
  },
});
