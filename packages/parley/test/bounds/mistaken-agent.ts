import { inputRequired } from 'parley-a2a';
import { agentOf } from '../support/script.ts';

/** An agent that makes the mistake that its caller names. */
export const mistaken = agentOf(
  async (task) => {
    switch (task.text) {
      case 'ask twice':
        void task.ask('One?');
        void task.ask('Two?');
        return inputRequired('Both were forgotten');
      case 'forget a step':
        void task.step('broken', () => Promise.reject(new Error('a step that nobody awaits')));
        return 'done';
      case 'throw in a listener':
        task.signal.addEventListener('abort', () => {
          throw new Error('thrown in a listener');
        });
        // oxlint-disable-next-line typescript/no-misused-promises -- the mistake that is meant
        task.signal.addEventListener('abort', async () => {
          await Promise.reject(new Error('rejected in a listener'));
        });
        task.signal.onabort = () => {
          throw new Error('thrown in onabort');
        };
        await task.ask('Cancel me');
        return 'not reached';
      case 'leave a rejection':
        void Promise.reject(new Error('left by the agent'));
        return 'done';
      case 'throw later':
        setTimeout(() => {
          throw new Error('thrown later');
        }, 0);
        return 'done';
      default:
        return task.text;
    }
  },
  { name: 'mistaken' },
);
