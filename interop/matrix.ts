import type { Binding, Version } from './calling.ts';
import type { Role } from './scenarios/scenario.ts';

export type Result =
  | { readonly kind: 'ok' }
  | { readonly kind: 'not offered'; readonly reason: string }
  /** As the table of known differences says. */
  | { readonly kind: 'known'; readonly reason: string }
  | { readonly kind: 'differs'; readonly reason: string };

/** One peer in one role, over one version and binding. */
export interface Column {
  readonly peer: string;
  readonly role: Role;
  readonly version: Version;
  readonly binding: Binding;
  readonly results: ReadonlyMap<string, Result>;
}

const SIGNS = { ok: 'ok', 'not offered': '–', known: 'differs', differs: 'DIFFERS' } as const;

/** Two tables in Markdown, one for each role of the peers, with notes on what is not `ok`. */
export function renderMatrix(columns: readonly Column[]): string {
  const notes = new Map<string, number>();
  const tables = (['client', 'server'] as const).map((role) => {
    const shown = columns.filter((column) => column.role === role);
    const title = role === 'client' ? 'Their clients, our server' : 'Our client, their servers';
    return shown.length === 0 ? '' : `### ${title}\n\n${table(shown, notes)}\n`;
  });
  const list = [...notes].map(([reason, number]) => `${number}. ${reason}`);
  return [...tables.filter((text) => text !== ''), list.join('\n')].join('\n').trimEnd();
}

function table(columns: readonly Column[], notes: Map<string, number>): string {
  const operations = [...(columns[0]?.results.keys() ?? [])];
  const heads = columns.map(({ peer, version, binding }) => `${peer}<br>${version} ${binding}`);
  const lines = [
    `| | ${heads.join(' | ')} |`,
    `|---|${'---|'.repeat(columns.length)}`,
    ...operations.map((operation) => {
      const cells = columns.map(({ results }) => cell(results.get(operation), notes));
      return `| ${operation} | ${cells.join(' | ')} |`;
    }),
  ];
  return lines.join('\n');
}

function cell(result: Result | undefined, notes: Map<string, number>): string {
  if (!result) return '';
  if (result.kind === 'ok') return SIGNS.ok;
  const number = notes.get(result.reason) ?? notes.size + 1;
  notes.set(result.reason, number);
  return `${SIGNS[result.kind]} (${number})`;
}
