import type { ServerInterceptor } from 'parley-a2a';
import { expect, it } from 'vitest';
import { sendParams } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';
import { served } from './noting.ts';

type Next = () => Promise<never>;

async function twice(_: unknown, next: Next): Promise<never> {
  await next();
  return next();
}

it.for<[keyof ServerInterceptor, string]>([
  ['operation', 'one task, and an internal error'],
  ['run', 'one run, and a failed task'],
  ['step', 'one step, and a failed task'],
])('a second call of next() does no %s again, and says so: %s', async ([kind]) => {
  const seen: string[] = [];
  const agent = agentOf(async (task) => {
    seen.push('run');
    await task.step('one', () => {
      seen.push('step');
      return 1;
    });
    return 'done';
  });
  const { server, peer, errors } = served([{ [kind]: twice }], agent);
  const commits: unknown[] = [];
  server.use({ onEvent: (event) => void (event.kind === 'task' && commits.push(event)) });
  const { result, error } = await peer.respond('SendMessage', sendParams('go'));
  if (kind === 'operation') expect(error).toMatchObject({ code: -32603 });
  else expect(result.task.status.state).toBe('TASK_STATE_FAILED');
  expect(seen).toEqual(['run', 'step']);
  expect(commits).toHaveLength(1);
  expect(errors.map(describe)).toContainEqual(expect.stringContaining(`kind ${kind} called next() twice`));
});

it('an operation that fails while its interceptor does not wait for it ends nothing', async () => {
  const { peer } = served([
    {
      operation: async (_, next) => {
        void next();
        throw new Error('No');
      },
    },
  ]);
  expect((await peer.respond('GetTask', { id: 'none' })).error.code).toBe(-32603);
  await new Promise((resolve) => setImmediate(resolve));
});

function describe(error: unknown): string {
  return error instanceof Error ? `${error} ${describe(error.cause)}` : '';
}
