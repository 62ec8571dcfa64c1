import { bytes, defineAgent, json, link } from 'parley-a2a';
import { z } from 'zod';

const PIXEL = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='),
  (character) => character.charCodeAt(0),
);

const MARKDOWN = `# Findings

Sales **grew** in the [fourth quarter](https://example.com/q4). <b>Raw HTML stays text.</b>

| region | revenue |
|---|---:|
| north | 120 |
| south | 80 |

\`\`\`ts
const answer: number = 42; // in colours
\`\`\`

1. first
2. second
`;

/** Shows everything that an answer may have. */
export const gallery = defineAgent({
  name: 'gallery',
  description: 'Shows everything that an answer may have',
  version: '1.0.0',
  skills: [
    { id: 'show', name: 'Show', description: 'Shows it all', tags: ['demo'], examples: ['Show me'] },
    {
      id: 'order',
      name: 'Order',
      description: 'Takes an order',
      tags: ['demo', 'forms'],
      input: z.object({ item: z.string().describe('What you want'), count: z.number().int().min(1) }),
    },
  ],
  async *run(task) {
    if (task.skill === 'order') {
      yield json({ ordered: task.input as never });
      return;
    }
    for (const line of MARKDOWN.split(/(?<=\n)/)) yield line;
    const pictures = task.artifact({ name: 'picture' });
    await pictures.write(bytes(PIXEL, { mediaType: 'image/png', filename: 'pixel.png' }));
    const table = task.artifact({ name: 'figures' });
    await table.write(bytes('a;b\n1;2\n', { mediaType: 'text/csv', filename: '../figures.csv' }));
    await table.write(json({ regions: [{ name: 'north', revenue: 120 }] }));
    await table.write(link('https://files.example.net/more.csv', { filename: 'more.csv' }));
  },
});

/** Asks in every way that there is; the message says which. */
export const asker = defineAgent({
  name: 'asker',
  description: 'Asks for what it wants to know',
  version: '1.0.0',
  resumable: true,
  async *run(task) {
    switch (task.text) {
      case 'choice': {
        const size = await task.ask({
          prompt: 'Which size?',
          choices: ['small', { value: 'l', label: 'Rather large' }],
        });
        yield `size ${size}`;
        break;
      }
      case 'schema': {
        const extras = z.array(z.string()).optional();
        const schema = z.object({ item: z.string(), count: z.number().int().min(1), extras });
        const order = await task.ask({ prompt: 'What would you like?', schema });
        yield `order ${order.count} ${order.item}${order.extras ? ` with ${order.extras.join(', ')}` : ''}`;
        break;
      }
      case 'secret': {
        const secret = await task.ask({ prompt: 'The password?', sensitive: true });
        yield `a secret of ${secret.length} letters`;
        break;
      }
      case 'approval': {
        const verdict = await task.ask({
          prompt: 'May I remove it?',
          choices: ['approve', 'refuse'],
          approves: { name: 'remove', args: { file: '/etc/motd' } },
        });
        yield `verdict ${verdict}`;
        break;
      }
      case 'several': {
        const [dish, guests] = await Promise.all([
          task.ask({ prompt: 'Which dish?', choices: ['soup', 'pie'] }),
          task.ask({ prompt: 'How many guests?', schema: z.number() }),
        ]);
        yield `${dish} for ${guests}`;
        break;
      }
      case 'auth': {
        const credential = await task.requireAuth({
          schemes: ['oauth2'],
          scopes: ['crm:read'],
          url: 'https://crm.example.com/',
        });
        yield `a credential of ${credential.text.length} letters`;
        break;
      }
      default: {
        const name = await task.ask('What is your name?');
        yield `Hello, ${name}!`;
      }
    }
  },
});

const WORDS =
  'The **sales** of the region grew by `12 %`, as [the table](https://example.com/t) shows, and go on growing. ';

/** One chunk of a long text in Markdown: paragraphs, lists, tables and code take turns. */
export function chunkOf(number: number): string {
  if (number % 40 === 0) return `\n\n## Part ${number}\n\n`;
  if (number % 40 === 20) return '\n\n```js\nfor (const sale of sales) total += sale.amount;\n```\n\n';
  if (number % 40 === 30) return '\n\n| region | revenue |\n|---|---:|\n| north | 120 |\n\n';
  return WORDS.slice(0, 16 + (number % 60));
}

/** Streams as many chunks as the message says, each of them at once, or as many in a second as it says. */
export const narrator = defineAgent({
  name: 'narrator',
  description: 'Streams a long text: the number of chunks, and how many of them in a second',
  version: '1.0.0',
  resumable: true,
  async *run(task) {
    const [count = 100, rate = 0] = task.text.split(' ').map(Number);
    const begun = performance.now();
    for (let number = 0; number < count; number += 1) {
      yield chunkOf(number);
      const ahead = rate === 0 ? 0 : (number / rate) * 1000 - (performance.now() - begun);
      if (ahead > 5) await new Promise((resolve) => setTimeout(resolve, ahead));
    }
    yield '\n\nThe end.';
  },
});

/** Says one word, and the next when it is let on. */
export function createGatedAgent() {
  const gate = Promise.withResolvers<void>();
  const agent = defineAgent({
    name: 'gated',
    description: 'Says one word, and the next when it is let on',
    version: '1.0.0',
    resumable: true,
    async *run(task) {
      yield 'first ';
      await Promise.race([gate.promise, new Promise((resolve) => task.signal.addEventListener('abort', resolve))]);
      yield 'second';
    },
  });
  return { agent, letOn: gate.resolve };
}
