import { spawn } from 'node:child_process';

/** Neither Python nor Go is asked for anything that takes longer: fresh downloads and a build from nothing included. */
const LONGEST_STEP_MS = 600_000;

export interface StepOptions {
  readonly cwd?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
}

/** Runs a program to its end; throws with what it complained about where that is not a success. Returns its output. */
export function run(command: string, args: readonly string[], options: StepOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LONGEST_STEP_MS,
    });
    let output = '';
    let complaints = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      complaints = `${complaints}${chunk.toString()}`.slice(-4000);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${complaints || output.slice(-4000)}`));
    });
  });
}

/** The first Python that is new enough and can make virtual environments. */
export async function findPython(): Promise<string | undefined> {
  const isFit = 'import sys, venv, ensurepip; sys.exit(0 if sys.version_info >= (3, 10) else 1)';
  for (const name of ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python']) {
    if (await works(name, ['-c', isFit])) return name;
  }
  return undefined;
}

const LEAST_GO_MINOR = 25;

/** Go on the path, or where its installer puts it. */
export async function findGo(): Promise<string | undefined> {
  for (const name of ['go', '/usr/local/go/bin/go']) {
    const version = await run(name, ['env', 'GOVERSION'], { env: { ...process.env, GOTOOLCHAIN: 'local' } }).catch(
      () => '',
    );
    const [, major, minor] = /^go(\d+)\.(\d+)/.exec(version) ?? [];
    if (Number(major) > 1 || (Number(major) === 1 && Number(minor) >= LEAST_GO_MINOR)) return name;
  }
  return undefined;
}

async function works(command: string, args: readonly string[]): Promise<boolean> {
  return run(command, args).then(
    () => true,
    () => false,
  );
}
