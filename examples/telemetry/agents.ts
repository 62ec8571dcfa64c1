import { defineAgent } from 'parley-a2a';

/** Looks something up, in a step that shows in the trace. */
export const researcher = defineAgent({
  name: 'researcher',
  description: 'Finds figures',
  version: '1.0.0',
  run: (task) => task.step('look up', () => `Figures of ${task.text}: 42`),
});

/** Asks the researcher, and writes. */
export const writer = defineAgent({
  name: 'writer',
  description: 'Writes a report with the figures of the researcher',
  version: '1.0.0',
  async *run(task) {
    const figures = await task.call(researcher, task.text);
    yield '# Report\n';
    yield 'artifacts' in figures ? `It took one call: ${figures.status.state}\n` : '';
  },
});
