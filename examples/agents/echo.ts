import { type Agent, defineAgent, reply } from 'parley-a2a';

/** Says back what it was told. */
export const echo: Agent = defineAgent({
  name: 'echo',
  description: 'Repeats the parts of a message as they came: text, data, files and links. Answers without a task.',
  version: '1.0.0',
  inputModes: ['*/*'],
  outputModes: ['*/*'],
  skills: [
    {
      id: 'echo',
      name: 'Echo',
      description: 'Answers with a message that has the same parts, with their media types, file names and metadata.',
      tags: ['echo', 'test', 'connectivity'],
      examples: ['Hello!', 'Is anybody there?'],
    },
  ],
  run: (task) => reply(task.parts),
});
