import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { RpcPeer } from '../support/rpc.ts';

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts');
const AGENT = join(import.meta.dirname, 'mistaken-agent.ts');

it('parley serve goes on where an agent leaves a rejection or throws later, and names the agent in its log', async () => {
  const flags = ['--conditions=parley-source', '--no-warnings'];
  const child = spawn(process.execPath, [...flags, MAIN, 'serve', AGENT, '--port', '0', '--json']);
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  let log = '';
  child.stderr.on('data', (bytes: Buffer) => {
    log += bytes.toString();
  });
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), exited])) as [string];
  const { url } = JSON.parse(line) as { readonly url: string };
  const peer = new RpcPeer((request) => fetch(request), `${url}/a2a`);
  await peer.send('leave a rejection');
  await peer.send('throw later');
  await eventually(() => log).toContain('thrown later');
  expect(log).toMatch(
    /\[parley\] A rejection was not handled agent="mistaken" taskId="[^"]+"\n {4}Error: left by the agent/,
  );
  expect(log).toMatch(/\[parley\] An error was not caught agent="mistaken" taskId="[^"]+"\n {4}Error: thrown later/);
  expect((await peer.send('still there?')).artifacts[0].parts).toEqual([{ text: 'still there?' }]);
  expect(child.exitCode).toBeNull();
});
