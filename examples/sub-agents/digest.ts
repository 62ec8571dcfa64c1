import { type Agent, type CallTarget, defineAgent, textOf } from 'parley-a2a';

/** Finds a headline: the first sentence. */
export const headline: Agent = defineAgent({
  name: 'headline',
  description: 'Finds a headline for a text',
  version: '1.0.0',
  async *run(task) {
    await task.status('Looking for a headline…');
    yield /^[^.!?]+/.exec(task.text)?.[0] ?? 'Untitled';
  },
});

/** Counts; may be on a server of its own. */
export const statistics: Agent = defineAgent({
  name: 'statistics',
  description: 'Counts the words and sentences of a text',
  version: '1.0.0',
  async *run(task) {
    await task.status('Counting…');
    const words = task.text.match(/\p{L}+/gu)?.length ?? 0;
    const sentences = task.text.match(/[.!?]+/g)?.length ?? 0;
    yield `${words} words in ${sentences} sentences`;
  },
});

/** Has both work at the same time and puts together what they bring. */
export function createDigest(counter: CallTarget): Agent {
  return defineAgent({
    name: 'digest',
    description: 'Sums up a text: a headline and some figures',
    version: '1.0.0',
    async *run(task) {
      await task.status('Invoking headline and statistics…');
      const options = { forward: true, timeout: 30_000 };
      const [title, figures] = await Promise.all([
        task.call(headline, task.text, options),
        task.call(counter, task.text, options),
      ]);
      yield `# ${textOf(title)}\n`;
      yield `${textOf(figures)}.\n`;
    },
  });
}
