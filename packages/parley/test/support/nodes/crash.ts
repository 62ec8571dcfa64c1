import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { RpcPeer } from '../rpc.ts';

export interface DoomedServer {
  readonly peer: RpcPeer;
  /** Ends the process without a warning. */
  kill(): Promise<void>;
}

const SCRIPT = fileURLToPath(new URL('./crash-server.ts', import.meta.url));
const FLAGS = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning'];

/** Starts `crashAgent`, or the server of another script, on a file in a process of its own. */
export async function doomedServer(file: string, script = SCRIPT): Promise<DoomedServer> {
  const child = spawn(process.execPath, [...FLAGS, script, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  onTestFinished(kill);
  const lines = createInterface({ input: child.stdout });
  const [url] = await Promise.race([
    once(lines, 'line'),
    exited.then(() => Promise.reject(new Error('The server did not start'))),
  ]);
  return { peer: new RpcPeer((request) => fetch(request), `${url}/a2a`), kill };
}
