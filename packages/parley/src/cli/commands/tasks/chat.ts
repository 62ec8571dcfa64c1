import { chatWith } from '../../chat/chat.ts';
import type { Command } from '../../command.ts';
import { CALL_OPTIONS } from '../../options.ts';
import { converse } from '../../turn/conversation.ts';

export const chat: Command = {
  name: 'chat',
  parameters: 'URL',
  summary: 'talk with an agent, turn by turn',
  details:
    'Answer the agent’s questions at the prompt; secrets stay hidden while you type. Ctrl-C cancels the task, a ' +
    'second Ctrl-C leaves, and so does Ctrl-D. A line that ends with \\ continues on the next one. From a pipe, ' +
    'every line is a message.',
  words: [1, 1],
  options: ['context', 'task', 'skill', 'output', ...CALL_OPTIONS],
  examples: ['chat localhost:4000', 'chat localhost:4000 --context 0198f3c2-7a0e-7bb2-9a57-0c9b8f0c1d2e'],

  run: ({ positionals: [url = ''], options }, surroundings) => converse(url, options, surroundings, chatWith),
};
