import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const DATA = 'data';

/** Names a process so that another one with the same number, later, has another name. */
export function ownerOf(pid: number): string {
  try {
    process.kill(pid, 0);
  } catch {
    return `${pid}-gone`;
  }
  return `${pid}-${startOf(pid) ?? ''}`;
}

/** True while the server of the folder runs, false while it is stopped, undefined where the folder is gone. */
export function isRunning(folder: string): boolean | undefined {
  if (!existsSync(folder)) return undefined;
  const pid = serverOf(folder);
  return pid !== undefined && !ownerOf(pid).endsWith('-gone');
}

/** Sends a signal to the server and, where it stops or goes on, to each process that serves a connection. */
export function signalServer(folder: string, signal: NodeJS.Signals): void {
  const pid = serverOf(folder);
  if (pid === undefined) return;
  const others = signal === 'SIGQUIT' || signal === 'SIGINT' ? [] : childrenOf(pid);
  for (const each of [pid, ...others]) {
    try {
      process.kill(each, signal);
    } catch {
      // It has ended by itself.
    }
  }
}

export function serverOf(folder: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(folder, DATA, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** The members of `/proc/PID/stat` after the name of the program, which may hold spaces. */
function factsOf(pid: number | string): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function startOf(pid: number): string | undefined {
  return factsOf(pid)?.[19];
}

function childrenOf(pid: number): readonly number[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && factsOf(name)?.[1] === String(pid))
    .map(Number);
}
