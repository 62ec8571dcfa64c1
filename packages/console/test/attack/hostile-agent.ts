import { type Agent, defineAgent } from 'parley-a2a';
import { HOSTILE_MARKDOWN, HOSTILE_TEXT, hostileParts } from './corpus.ts';

/** Attacks whoever shows its card or what it says. */
export const hostile: Agent = defineAgent({
  name: 'hostile',
  description: HOSTILE_TEXT,
  version: '1.0.0<script>globalThis.owned=1</script>',
  inputModes: ['*/*'],
  skills: [
    {
      id: 'attack',
      name: HOSTILE_TEXT,
      description: HOSTILE_TEXT,
      tags: [HOSTILE_TEXT],
      examples: [HOSTILE_TEXT],
    },
  ],
  async *run(task) {
    await task.status(HOSTILE_TEXT);
    for (const [index, text] of HOSTILE_MARKDOWN.entries()) {
      const artifact = task.artifact({ artifactId: `text-${index}`, name: HOSTILE_TEXT, description: HOSTILE_TEXT });
      await artifact.write(text);
      await artifact.end();
    }
    for (const part of hostileParts()) yield part;
    yield 'the end of the attack';
  },
});
