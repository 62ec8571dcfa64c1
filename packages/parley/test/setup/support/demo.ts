import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { PATIENCE_MS } from '../../support/patience.ts';
import { ROOT, readJson, shellEnvironment } from './repository.ts';

/** What is left of a process. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The demo while it runs. */
export interface Demo {
  readonly url: string;
  /** What it printed when it was ready. */
  readonly greeting: string;
  /** The commands in the greeting, each as a person would paste it. */
  readonly commands: readonly string[];
  /** Sends a signal and nothing more. */
  signal(signal: NodeJS.Signals): void;
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  /** Kills it with all its children, as a machine that loses power would. */
  kill(): Promise<Ended>;
}

type Environment = Readonly<Record<string, string>>;

const READY = 'Stop with Ctrl+C.';

/** Starts the demo and waits until it is ready. It is killed when the test ends. */
export function startDemo(environment: Environment): Promise<Demo> {
  return ready(launch(process.execPath, nodeArguments(), environment));
}

/** The same by way of npm, whose process then gets the signals. */
export function startWithNpm(environment: Environment): Promise<Demo> {
  return ready(launch('npm', ['start'], environment));
}

async function ready({ child, output, ended }: Launched): Promise<Demo> {
  const failed = ended.then(({ code, stderr }) => Promise.reject(new Error(`The demo ended with ${code}: ${stderr}`)));
  failed.catch(() => {});
  while (!output.stdout.includes(READY)) await Promise.race([once(child.stdout ?? child, 'data'), failed]);
  const greeting = output.stdout;
  return {
    url: /listening on (\S+)/.exec(greeting)?.[1] ?? '',
    greeting,
    commands: greeting.match(/^curl (?:.*\\\n)*.*$/gm) ?? [],
    signal: (signal) => void child.kill(signal),
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
    kill: () => {
      killGroup(child.pid);
      return ended;
    },
  };
}

/** Starts a demo that is expected to give up by itself. */
export async function refusedDemo(environment: Environment): Promise<Ended> {
  const { ended } = launch(process.execPath, nodeArguments(), environment);
  const late = delay(PATIENCE_MS, undefined, { ref: false }).then(() =>
    Promise.reject(new Error('The demo did not give up')),
  );
  return Promise.race([ended, late]);
}

/** What `npm start` gives to Node: the script in package.json. */
function nodeArguments(): readonly string[] {
  const script: string = readJson(ROOT, 'package.json').scripts.start;
  // `exec` makes Node a child of npm itself, so that signals reach it.
  if (!script.startsWith('exec node ')) throw new Error(`npm start runs ${script}`);
  return script.split(' ').slice(2);
}

interface Launched {
  readonly child: ChildProcess;
  readonly output: { readonly stdout: string };
  readonly ended: Promise<Ended>;
}

function launch(command: string, args: readonly string[], environment: Environment): Launched {
  const env = { ...shellEnvironment(), PORT: '0', ...environment };
  // A group of its own, so that the end of the test takes children with it.
  const child = spawn(command, args, { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => killGroup(child.pid));
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, ...output }));
  return { child, output, ended };
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
