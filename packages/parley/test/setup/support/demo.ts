import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
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
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

type Environment = Readonly<Record<string, string>>;

const READY = 'Stop with Ctrl+C.';

/** Starts the demo and waits until it is ready. It is killed when the test ends. */
export async function startDemo(environment: Environment): Promise<Demo> {
  const { child, output, ended } = launch(environment);
  const failed = ended.then(({ code, stderr }) => Promise.reject(new Error(`The demo ended with ${code}: ${stderr}`)));
  failed.catch(() => {});
  while (!output.stdout.includes(READY)) await Promise.race([once(child.stdout ?? child, 'data'), failed]);
  const greeting = output.stdout;
  return {
    url: /listening on (\S+)/.exec(greeting)?.[1] ?? '',
    greeting,
    commands: greeting.match(/^curl (?:.*\\\n)*.*$/gm) ?? [],
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Starts a demo that is expected to give up by itself. */
export async function refusedDemo(environment: Environment): Promise<Ended> {
  const { ended } = launch(environment);
  const late = delay(15_000, undefined, { ref: false }).then(() =>
    Promise.reject(new Error('The demo did not give up')),
  );
  return Promise.race([ended, late]);
}

/** As `npm start` does it: the command is the script in package.json. */
function launch(environment: Environment): {
  readonly child: ChildProcess;
  readonly output: { readonly stdout: string };
  readonly ended: Promise<Ended>;
} {
  const [command, ...args]: string[] = readJson(ROOT, 'package.json').scripts.start.split(' ');
  if (command !== 'node') throw new Error(`npm start runs ${command}, not node`);
  const env = { ...shellEnvironment(), PORT: '0', ...environment };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
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
