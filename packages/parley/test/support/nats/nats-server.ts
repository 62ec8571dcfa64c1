import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { createInterface } from 'node:readline';

/** A NATS server of a test's own. */
export interface NatsServer {
  readonly url: string;
  /** Kills it and waits until it is gone. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  /** Stops it in its tracks, and lets it go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
}

/** Folders where packages install servers that no user needs. */
const FOLDERS = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin', '/usr/local/bin'];

const PROGRAM = FOLDERS.map((folder) => `${folder}/nats-server`).find(isExecutable);

/** For titles of suites: undefined where there is a server, otherwise why not. */
export const WITHOUT_NATS =
  process.env.NATS_URL || PROGRAM ? undefined : 'skipped: there is no nats-server on the PATH, and NATS_URL is not set';

/** For titles of suites that start and stop a server themselves. */
export const WITHOUT_NATS_SERVER = PROGRAM ? undefined : 'skipped: there is no nats-server on the PATH';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const LISTENING = /Listening for client connections on 127\.0\.0\.1:(\d+)/;
const READY = /Server is ready/;

/** Starts a server on a free port; `flags` are the program's own. */
export async function startNats(flags: readonly string[] = []): Promise<NatsServer> {
  if (!PROGRAM) throw new Error('There is no nats-server on the PATH');
  let child: ChildProcess;
  let port = '-1';
  const start = async () => {
    child = spawn(PROGRAM, ['-a', '127.0.0.1', '-p', port, ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
    const { stderr } = child;
    if (!stderr) throw new Error('The log of nats-server cannot be read');
    const lines: string[] = [];
    for await (const line of createInterface({ input: stderr })) {
      lines.push(line);
      port = LISTENING.exec(line)?.[1] ?? port;
      if (!READY.test(line)) continue;
      stderr.resume();
      return;
    }
    throw new Error(`nats-server did not start:\n${lines.join('\n')}`);
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  await start();
  process.once('exit', () => void child.kill('SIGKILL'));
  return { url: `nats://127.0.0.1:${port}`, kill, start, signal: (name) => void child.kill(name) };
}
