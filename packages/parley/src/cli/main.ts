#!/usr/bin/env node
import { programOf, withoutEcho } from './surroundings.ts';

const OLDEST_NODE = [22, 18];

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

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
async function leave(code: number): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => stream.write('', () => resolve()));
  }
  process.exit(code);
}

async function main(): Promise<void> {
  if (isTooOld(process.versions.node)) {
    console.error(
      `parley: Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}. See: https://nodejs.org`,
    );
    process.exit(1);
  }
  silenceExperimentalWarnings();
  for (const stream of [process.stdout, process.stderr]) {
    // The reader has seen enough, as `head` does.
    stream.on('error', () => process.exit(0));
  }
  const { run } = await import('./run.ts');
  const { env } = process;
  const code = await run(process.argv.slice(2), {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env,
    ...programOf(env, process.cwd()),
    onInterrupt(listener) {
      const onSignal = withoutEcho(env, listener);
      process.on('SIGINT', onSignal);
      return () => void process.off('SIGINT', onSignal);
    },
    leave: (exitCode) => process.exit(exitCode),
  });
  await leave(code);
}

await main();
