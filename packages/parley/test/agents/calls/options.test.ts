import { A2AServer, defineAgent } from 'parley-a2a';
import { expect, it } from 'vitest';
import { textOfTask } from '../../support/frames.ts';
import { RpcPeer } from '../../support/rpc.ts';

it.each<[object, string]>([
  [{ tiemout: 5 }, 'there is no option tiemout; did you mean timeout?'],
  [{ idempotencyKey: 'k' }, 'there is no option idempotencyKey'],
  [{ timeout: '5' }, 'timeout must be a number of milliseconds that is not negative, not "5"'],
  [{ maxTurns: 'x' }, 'maxTurns must be a whole number that is not negative, not "x"'],
  [{ priority: 'urgent' }, 'priority must be low, normal or high, not "urgent"'],
  [{ client: 5 }, 'client must be an object, not 5'],
  [{ forward: 'yes' }, 'forward must be true, false or a function, not "yes"'],
])('task.call refuses %o', async (options, problem) => {
  const about = { description: 'An agent of a test', version: '1.0.0' };
  let calls = 0;
  const child = defineAgent({
    ...about,
    name: 'child',
    run: () => {
      calls += 1;
    },
  });
  const parent = defineAgent({
    ...about,
    name: 'parent',
    run: async (task) =>
      task.call(child, 'x', options).then(
        () => 'went through',
        (error: Error) => error.message,
      ),
  });
  const server = new A2AServer({ agents: [parent, child] });
  const peer = new RpcPeer(server.fetch, 'http://calls.test/a2a');
  expect(textOfTask(await peer.send('go'))).toContain(`task.call: ${problem}`);
  expect(calls).toBe(0);
});
