import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { RpcPeer, type Wire } from '../support/rpc.ts';

const SCRIPT = join(import.meta.dirname, 'mistaken-server.ts');

/** A process under Node's defaults, and what it has logged so far. */
async function start(mode: 'library' | 'all') {
  const child = fork(SCRIPT, [mode], { execArgv: ['--conditions=parley-source', '--no-warnings'] });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const first = await Promise.race([once(child, 'message'), exited]);
  const { url } = first[0] as { readonly url: string };
  const logged: Wire[] = [];
  child.on('message', (entry) => logged.push(entry));
  return { peer: new RpcPeer((request) => fetch(request), `${url}/a2a`), logged, child };
}

it('lives on where an agent forgets a question or a step, throws in a listener, or the log throws', async () => {
  const { peer, logged, child } = await start('library');
  await peer.send('ask twice');
  await peer.send('forget a step');
  const { id } = await peer.send('throw in a listener');
  await peer.call('CancelTask', { id });
  await eventually(() => logged.map(({ error }) => String(error)).toSorted()).toEqual([
    'rejected in a listener',
    'thrown in a listener',
    'thrown in onabort',
  ]);
  for (const entry of logged) expect(entry).toMatchObject({ agent: 'mistaken', hasTask: true });
  expect((await peer.send('still there?')).artifacts[0].parts).toEqual([{ text: 'still there?' }]);
  expect(child.exitCode).toBeNull();
});

it('lives on with logStrayErrors where an agent leaves a rejection or throws later, and names the agent', async () => {
  const { peer, logged, child } = await start('all');
  await peer.send('leave a rejection');
  await peer.send('throw later');
  await eventually(() => logged).toEqual([
    { message: 'A rejection was not handled', agent: 'mistaken', hasTask: true, error: 'left by the agent' },
    { message: 'An error was not caught', agent: 'mistaken', hasTask: true, error: 'thrown later' },
  ]);
  expect((await peer.send('still there?')).artifacts[0].parts).toEqual([{ text: 'still there?' }]);
  expect(child.exitCode).toBeNull();
});
