#!/usr/bin/env node
import { isOlderNode, olderNodeText } from '../model/basics/node-version.ts';
import { watchOutput, writeWholly } from './broken-output.ts';
import { programOf, withoutEcho } from './surroundings.ts';

/**
 * Hides Node's warnings that SQLite and type stripping are experimental: both work, and users of a command cannot act
 * on them.
 */
function silenceExperimentalWarnings(): void {
  const emit = process.emitWarning.bind(process) as (...args: unknown[]) => void;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    const [options] = rest;
    const type = typeof options === 'object' && options !== null && 'type' in options ? options.type : options;
    const isExperimental =
      type === 'ExperimentalWarning' || (warning instanceof Error && warning.name === 'ExperimentalWarning');
    if (!isExperimental) emit(warning, ...rest);
  };
}

/** Everything that was written reaches its reader before the process ends. */
async function leave(code: () => number): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => stream.write('', () => resolve()));
  }
  process.exit(code());
}

async function main(): Promise<void> {
  if (isOlderNode(process.versions.node)) {
    console.error(`parley: ${olderNodeText(process.versions.node)}`);
    process.exit(1);
  }
  silenceExperimentalWarnings();
  const { env, stdout, stderr } = process;
  writeWholly(stdout);
  writeWholly(stderr);
  const isJson = process.argv.includes('--json');
  const exitCodeOf = watchOutput({ stdout, stderr, isJson, exit: (exitCode) => process.exit(exitCode) });
  const { run } = await import('./run.ts');
  const code = await run(process.argv.slice(2), {
    stdin: process.stdin,
    stdout,
    stderr,
    env,
    ...programOf(env, process.cwd()),
    onInterrupt(listener) {
      const onSignal = withoutEcho(env, listener);
      process.on('SIGINT', onSignal);
      return () => void process.off('SIGINT', onSignal);
    },
    leave: (exitCode) => process.exit(exitCode),
  });
  await leave(() => exitCodeOf(code));
}

await main();
