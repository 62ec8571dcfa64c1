import { cli } from '../../cli/support/in-process.ts';

export interface CheckedRule {
  readonly id: string;
  readonly verdict: string;
  readonly outcomes: readonly {
    readonly verdict: string;
    readonly interface?: string;
    readonly reason?: string;
    readonly evidence: readonly { readonly sent: readonly string[]; readonly received: readonly string[] }[];
  }[];
}

export interface Checked {
  readonly code: number;
  readonly results: readonly CheckedRule[];
  readonly summary: { readonly leftOut: number; readonly requests: number; readonly interfaces: readonly string[] };
}

/** Runs `parley check --json` without a process. */
export async function checked(url: string, ...args: readonly string[]): Promise<Checked> {
  const { code, stdout, stderr } = await cli(['check', url, '--json', ...args]);
  const lines = stdout.split('\n').filter((line) => line !== '');
  if (lines.length === 0) throw new Error(`Nothing was checked: ${stderr}`);
  const objects = lines.map((line) => JSON.parse(line));
  return { code, results: objects.slice(0, -1), summary: objects.at(-1).summary };
}

export function idsWith(results: readonly CheckedRule[], ...verdicts: readonly string[]): readonly string[] {
  return results.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
}
