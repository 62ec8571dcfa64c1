import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { EXIT } from '../exit-codes.ts';
import type { Arguments } from '../options.ts';
import type { Surroundings } from '../surroundings.ts';
import { FileWatch } from './file-watch.ts';
import { shortened } from './module-problem.ts';
import { portOf } from './server.ts';
import { isReport, RUN_VARIABLE } from './watched-child.ts';

const KILL_MILLISECONDS = 10_000;

/** Runs the server in a process of its own and starts another one when a file changes. */
export async function watchFiles(args: Arguments, surroundings: Surroundings): Promise<number> {
  const { positionals, options } = args;
  const { cwd, stderr, onInterrupt, leave } = surroundings;
  let port = portOf(options);
  let child: ChildProcess | undefined;
  let isStopping = false;
  const watch = new FileWatch(positionals.map((file) => resolve(cwd, file)));

  const stop = () => {
    if (isStopping) leave(EXIT.interrupted);
    isStopping = true;
    watch.close();
    if (child) void end(child);
  };
  const release = onInterrupt(stop);
  process.on('SIGTERM', stop);

  for (let run = 'first'; !isStopping; run = 'again') {
    child = start(args, port, run, surroundings);
    const exited = once(child, 'exit');
    child.on('message', (message) => {
      if (!isReport(message)) return;
      watch.add(message.files);
      // The port that was free the first time is the one that clients know.
      if (message.url !== undefined) port = Number(new URL(message.url).port);
    });
    const hasEnded = exited.then(() => undefined);
    const changed = await Promise.race([watch.next(), hasEnded]);
    if (changed === undefined && !isStopping) {
      stderr.write('parley: The server has ended; it starts again when a file changes.\n');
      await watch.next();
    } else if (changed !== undefined && !isStopping) {
      stderr.write(`${shortened(changed, cwd)} has changed.\n`);
      void end(child);
    }
    await exited;
  }
  release();
  return EXIT.done;
}

function start(
  { positionals, options }: Arguments,
  port: number,
  run: string,
  { env, cwd }: Surroundings,
): ChildProcess {
  const [, script = ''] = process.argv;
  const { db, host, default: main, json } = options;
  const words = [
    'serve',
    ...['--port', String(port)],
    ...(host === undefined ? [] : [`--host=${host}`]),
    ...(db === undefined ? [] : [`--db=${db}`]),
    ...(main === undefined ? [] : [`--default=${main}`]),
    ...(json ? ['--json'] : []),
    ...['--', ...positionals],
  ];
  return fork(script, words, { cwd, env: { ...env, [RUN_VARIABLE]: run, INIT_CWD: cwd } });
}

/** A moment to finish what it does, then no more. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), KILL_MILLISECONDS);
  await once(child, 'exit');
  clearTimeout(timer);
}
