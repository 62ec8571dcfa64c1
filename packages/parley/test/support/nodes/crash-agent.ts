import { type Agent, inputRequired, reply } from 'parley-a2a';
import { agentOf, hang, pause } from '../script.ts';

/** An agent that does what the message says; for servers that are killed while it does so. */
export function crashAgent(onRun: (text: string) => void = () => {}): Agent {
  return agentOf(async function* (task) {
    onRun(task.text);
    switch (task.text) {
      case 'write without end':
        for (let index = 0; ; index += 1) {
          yield `${index} `;
          await pause(1);
        }
      case 'hang':
        return hang(task);
      case 'ask':
        yield `${await task.ask('Which one?')} it is`;
        return undefined;
      case 'require input':
        yield 'before ';
        return inputRequired('Which one?');
      case 'reply':
        return reply('Hi');
      default:
        yield `done with ${task.text} after ${task.history.length}`;
        return undefined;
    }
  });
}
