import { type Agent, bytes, chunk, defineAgent, json, link } from 'parley-a2a';
import { z } from 'zod';

/** Streams what it is told, word by word. */
const talker = defineAgent({
  name: 'talker',
  description: 'Repeats what it is told',
  version: '1.0.0',
  skills: [
    { id: 'repeat', name: 'Repeat', description: 'Says it again', tags: ['test'], examples: ['Hello'] },
    { id: 'whisper', name: 'Whisper', description: 'Says it quietly', tags: ['test'] },
  ],
  async *run(task) {
    if (task.text === 'fail') throw new Error('inner text');
    if (task.text === 'think') {
      yield chunk('I wonder', { artifactId: 'thoughts', name: 'reasoning', lastChunk: true });
      yield 'Yes';
      return;
    }
    await task.status('thinking');
    for (const word of task.text.split(/(?<= )/)) yield word;
  },
});

const Input = z.object({ item: z.string(), count: z.number().int().min(1) });

/** Has a skill with a shape. */
const shop = defineAgent({
  name: 'shop',
  description: 'Sells things',
  version: '1.0.0',
  skills: [
    {
      id: 'price',
      name: 'Price',
      description: 'Tells a price',
      tags: ['test'],
      input: Input,
      output: z.object({ total: z.number() }),
    },
  ],
  run(task) {
    return json({ total: (task.input?.count ?? 0) * 3 });
  },
});

/** Asks before it answers; the message says how. */
const asker = defineAgent({
  name: 'asker',
  description: 'Asks questions',
  version: '1.0.0',
  async run(task) {
    switch (task.text) {
      case 'choices':
        return task.ask({ prompt: 'Which size?', choices: ['small', { value: 'l', label: 'Large' }] });
      case 'form':
        return JSON.stringify(await task.ask({ prompt: 'What?', schema: Input }));
      case 'loose':
        // A union is no field of a form, so it is asked for as a text.
        return String(await task.ask({ prompt: 'How many?', schema: z.union([z.number(), z.array(z.number())]) }));
      case 'several':
        return (await Promise.all([task.ask('Which dish?'), task.ask('Which drink?')])).join(' and ');
      case 'secret':
        return `${(await task.ask({ prompt: 'The password?', sensitive: true })).length}`;
      case 'auth':
        return (await task.requireAuth({ schemes: ['oauth2'], url: 'https://crm.example.com/sign-in' })).text;
      default:
        return `Hello, ${await task.ask('What is your name?')}`;
    }
  },
});

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Results of every kind. */
const gallery = defineAgent({
  name: 'gallery',
  description: 'Shows files',
  version: '1.0.0',
  async *run() {
    yield 'Look: ';
    yield bytes(Buffer.from(PIXEL, 'base64'), { mediaType: 'image/png', filename: 'dot.png' });
    yield bytes('RIFF', { mediaType: 'audio/wav' });
    yield bytes('a;b', { mediaType: 'text/csv', filename: 'table.csv' });
    yield bytes(Uint8Array.of(255, 0, 1), { mediaType: 'application/pdf', filename: 'a b.pdf' });
    yield link('https://files.example.net/x/report.pdf', { mediaType: 'application/pdf' });
    yield json({ pictures: 1 });
  },
});

/** Works until it is told to stop. `begun` and `stopped` tell how far it is. */
export function worker(): { readonly agent: Agent; readonly seen: string[] } {
  const seen: string[] = [];
  const agent = defineAgent({
    name: 'worker',
    description: 'Works for ever',
    version: '1.0.0',
    async run(task) {
      seen.push(`begun ${task.id}`);
      await task.status('working on it');
      await new Promise((_, reject) => task.signal.addEventListener('abort', () => reject(task.signal.reason)));
    },
  });
  return { agent, seen };
}

export const AGENTS: readonly Agent[] = [talker, shop, asker, gallery];
