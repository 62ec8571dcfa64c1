import { EXIT } from '../exit-codes.ts';
import type { Screen } from '../show/screen.ts';
import { cleanLine } from '../text/clean.ts';

/** The result of one look. */
export interface Finding {
  /** The subject, in one word or two. */
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  /** The fact that was found. */
  readonly message: string;
  /** The advice. */
  readonly advice?: string | undefined;
}

export function ok(check: string, message: string): Finding {
  return { check, status: 'ok', message };
}

export function warn(check: string, message: string, advice: string): Finding {
  return { check, status: 'warn', message, advice };
}

export function fail(check: string, message: string, advice: string): Finding {
  return { check, status: 'fail', message, advice };
}

const COLORS = { ok: 'green', warn: 'yellow', fail: 'red' } as const;
const LABEL_WIDTH = 6;
const CHECK_WIDTH = 12;

/** One line for a person, with a second one where there is something to do; one object for a program. */
export function showFinding(finding: Finding, screen: Screen): void {
  const { check, status, message, advice } = finding;
  if (screen.json) {
    screen.object({ check, status, message, ...(advice !== undefined && { advice }) });
    return;
  }
  const label = screen.style.apply(status.toUpperCase().padEnd(LABEL_WIDTH), COLORS[status]);
  screen.write(`${label}${check.padEnd(CHECK_WIDTH)}${cleanLine(message)}\n`);
  if (advice !== undefined) screen.write(`${' '.repeat(LABEL_WIDTH + CHECK_WIDTH)}${cleanLine(advice)}\n`);
}

/** Something that fails makes the whole fail; a warning does not. */
export function exitCodeOf(findings: readonly Finding[]): number {
  return findings.some(({ status }) => status === 'fail') ? EXIT.failed : EXIT.done;
}

/** The text of an error without its last full stop. */
export function textOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
}
