import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** The folder that stands for the machine. */
export const MACHINE: string = process.env.GUIDE_MACHINE ?? '';

export interface Program {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const fileOf = (name: string, kind: string) => join(MACHINE, 'run', `${name}.${kind}`);

/** Starts a program that goes on when this process has ended. */
export function startInBackground(name: string, { command: [program = '', ...args], cwd, env }: Program): void {
  mkdirSync(join(MACHINE, 'run'), { recursive: true });
  const log = openSync(fileOf(name, 'log'), 'a');
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', log, log] });
  writeFileSync(fileOf(name, 'pid'), String(child.pid));
  child.unref();
}

/** Asks it to end and waits until it has. */
export async function stopInBackground(name: string): Promise<void> {
  const pid = Number(readFileSync(fileOf(name, 'pid'), 'utf8'));
  process.kill(pid, 'SIGTERM');
  while (isThere(pid)) await delay(20);
  rmSync(fileOf(name, 'pid'));
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended stays as a zombie until its parent has looked, and nobody may be there to look.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
