import OpenAI from 'openai';
import { zodFunction } from 'openai/helpers/zod';
import { defineAgent } from 'parley-a2a';
import { z } from 'zod';

const model = process.env.PARLEY_MODEL ?? 'gpt-5.1';
const openai = new OpenAI(); // reads OPENAI_API_KEY and OPENAI_BASE_URL
const weather = zodFunction({
  name: 'weather',
  description: 'The weather in a city, now',
  parameters: z.object({ city: z.string() }),
  function: ({ city }) => `21 °C and sunny in ${city}`,
});

export default defineAgent({
  name: 'forecaster',
  description: 'Tells the weather',
  version: '1.0.0',
  async *run({ text: content, signal }) {
    const messages = [{ role: 'user' as const, content }];
    const chunks = openai.chat.completions.runTools({ model, messages, tools: [weather], stream: true }, { signal });
    for await (const { choices } of chunks) yield choices[0]?.delta.content ?? '';
  },
});
