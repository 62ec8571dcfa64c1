import { type Agent, type TaskContext, textOf } from 'parley-a2a';
import { agentOf } from '../../support/script.ts';

/** What the agent of the contract does is told by the message alone: it may live in another process. */
async function* run(task: TaskContext): AsyncGenerator<string, void, void> {
  const [command = '', argument = ''] = task.text.split(' ');
  switch (command) {
    case 'steps':
      // Goes on only when somebody has seen what there is so far, and says so.
      yield 'first';
      for await (const message of task.messages()) {
        yield textOf(message);
        return;
      }
      return;
    case 'flood':
      for (let index = 0; index < Number(argument); index += 1) yield 'x'.repeat(65_536);
      return;
    case 'length':
      yield `${argument.length} characters`;
      return;
    default:
      yield `Hello, ${task.text}!`;
  }
}

export const contractAgents: readonly Agent[] = [agentOf(run), agentOf(() => 'I am the other', { name: 'other' })];
