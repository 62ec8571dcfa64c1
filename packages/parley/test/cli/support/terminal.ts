import { execFileSync } from 'node:child_process';
import { launch, NODE_ARGUMENTS, type Running } from './child.ts';

export interface Terminal extends Running {
  /** Presses keys. */
  type(keys: string): void;
  /** Waits until all of this is there, one after the other, behind what was waited for before. */
  shows(...texts: readonly string[]): Promise<void>;
}

/** The prompts of a chat, with the cursor behind them. */
export const PROMPT = '\u001b[36m›\u001b[0m \u001b[3G';
export const QUESTION_PROMPT = '\u001b[36m? ›\u001b[0m \u001b[5G';
export const HIDDEN_PROMPT = '\u001b[36m(hidden) ›\u001b[0m ';

export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';
export const ENTER = '\r';

/** Runs the command line in a pseudo-terminal, as `script` of util-linux makes them. Its output is all in stdout. */
export function startInTerminal(args: readonly string[], columns = 100): Terminal {
  try {
    execFileSync('script', ['--version'], { stdio: 'ignore' });
  } catch {
    throw new Error('These tests need a pseudo-terminal from `script` (util-linux), which is not installed here.');
  }
  const program = [process.execPath, ...NODE_ARGUMENTS, ...args].map(quotedForAnyShell).join(' ');
  // Some shells that get Ctrl-C as well end with a code of their own, so none is left in between.
  const command = `stty cols ${columns} rows 30; exec ${program}`;
  const running = launch('script', ['-qfec', command, '/dev/null'], { env: { TERM: 'xterm-256color' } });
  let seen = 0;
  return {
    ...running,
    type: (keys) => void running.child.stdin?.write(keys),
    async shows(...texts) {
      for (const text of texts) {
        seen = await running.until((output) => {
          const found = output.indexOf(text, seen);
          return found < 0 ? undefined : found + text.length;
        }, JSON.stringify(text));
      }
    },
  };
}

/** `script` takes the shell that `SHELL` names, or else `sh`: only single quotes mean the same in all of them. */
function quotedForAnyShell(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
