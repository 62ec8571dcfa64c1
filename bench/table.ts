import type { ServerKind } from './servers/protocol.ts';
import type { Lookup, Sample, Target, Workload } from './workloads/workload.ts';

export const TITLES: Readonly<Record<ServerKind, string>> = {
  memory: 'Parley, memory',
  sqlite: 'Parley, SQLite',
  official: 'official SDK',
  simple: 'floor, simple',
  limit: 'floor, limit',
  listen: 'listen',
  node: 'node:http',
  express: 'Express 5',
  express4: 'Express 4',
  fastify: 'Fastify',
  koa: 'Koa',
  fetch: 'fetch',
  hono: 'Hono',
  next: 'Next',
  jwt: 'Parley, JWT',
  rate: 'Parley, rate limits',
  load: 'Parley, load limit',
  again: 'Parley, memory again',
  told: 'Parley, memory, whole',
  'told-again': 'Parley, memory, whole, again',
  untold: 'Parley, memory, telemetry cut out',
  sdk: 'streamText alone',
  'sdk-again': 'streamText alone, again',
  'sdk-written': 'streamText, each token written',
  llm: 'llmAgent, memory',
  'llm-again': 'llmAgent, memory again',
  'llm-sqlite': 'llmAgent, SQLite',
  postgres: 'Parley, Postgres',
  'postgres-watched': 'Parley, Postgres, watched',
  'postgres-steps': 'Parley, Postgres, steps',
  'sqlite-steps': 'Parley, SQLite, steps',
  yielding: 'yield* textStream, memory',
  'grpc-memory': 'Parley, memory',
  'grpc-sqlite': 'Parley, SQLite',
  'grpc-official': 'official SDK',
  'grpc-floor': 'floor, grpc-js',
};

/** Medians of a server's samples, or why there are none. */
export type Outcome = { readonly median: Sample } | { readonly missing: string };

export type Outcomes = ReadonlyMap<string, ReadonlyMap<ServerKind, Outcome>>;

const DEFAULT_BASE: ServerKind = 'simple';

/** The whole run in Markdown: a table for each server that others are compared with. */
export function renderTables(workloads: readonly Workload[], outcomes: Outcomes, isQuick: boolean): string {
  const bases = new Set(workloads.map(baseOf));
  const tables = [...bases].map((base) => {
    const compared = workloads.filter((workload) => baseOf(workload) === base);
    return renderTable(base, compared, outcomes, isQuick);
  });
  return tables.join('\n\n');
}

function baseOf({ base = DEFAULT_BASE }: Workload): ServerKind {
  return base;
}

function renderTable(base: ServerKind, workloads: readonly Workload[], outcomes: Outcomes, isQuick: boolean): string {
  const header = [
    'workload',
    'server',
    'figure',
    'rate /s',
    'p50 ms',
    'p99 ms',
    `× ${base}`,
    'measured (target)',
    'met',
  ];
  const rows = workloads.flatMap((workload) => rowsOf(workload, outcomes, isQuick));
  return align([header, ...rows]);
}

function rowsOf(workload: Workload, outcomes: Outcomes, isQuick: boolean): readonly string[][] {
  const look = lookupIn(outcomes);
  return workload.servers.map((kind, index) => {
    const outcome = outcomes.get(workload.name)?.get(kind) ?? { missing: 'not run' };
    const title = isQuick && workload.quickNote ? `${workload.title} (quick: ${workload.quickNote})` : workload.title;
    return row(index === 0 ? title : '', workload, kind, outcome, look);
  });
}

/** How many targets were met, not met, and could not be judged. */
export function countTargets(workloads: readonly Workload[], outcomes: Outcomes): Record<Verdict, number> {
  const counts: Record<Verdict, number> = { yes: 0, NO: 0, missing: 0 };
  const look = lookupIn(outcomes);
  for (const { targets } of workloads) for (const target of targets) counts[judge(target, look)]++;
  return counts;
}

type Verdict = 'yes' | 'NO' | 'missing';

function row(title: string, workload: Workload, kind: ServerKind, outcome: Outcome, look: Lookup): string[] {
  const targets = workload.targets.filter((target) => target.kind === kind);
  const judged = [targets.map((target) => measured(target, look)), targets.map((target) => judge(target, look))];
  const ends = judged.map((texts) => texts.join('; '));
  if ('missing' in outcome) return [title, TITLES[kind], `missing: ${outcome.missing}`, '', '', '', '', ...ends];
  const { figure, rate, p50, p99 } = outcome.median;
  const base = look(workload.name, baseOf(workload));
  const hasRatio = kind !== baseOf(workload) && base !== undefined && workload.unit !== 'MB' && workload.unit !== '×';
  const ratio = hasRatio ? figure / base : undefined;
  return [
    title,
    TITLES[kind],
    `${number(figure)} ${workload.unit}`,
    rate === undefined ? '' : Math.round(rate).toLocaleString('en'),
    number(p50),
    number(p99),
    number(ratio),
    ...ends,
  ];
}

function judge({ value, limit, bound }: Target, look: Lookup): Verdict {
  const reached = value(look);
  if (reached === undefined || Number.isNaN(reached)) return 'missing';
  return (bound === 'most' ? reached <= limit : reached >= limit) ? 'yes' : 'NO';
}

function measured({ label, value, limit, bound }: Target, look: Lookup): string {
  return `${number(value(look)) || '?'} ${label} (${bound === 'most' ? '≤' : '≥'} ${limit})`;
}

export function number(value: number | undefined): string {
  if (value === undefined) return '';
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString('en');
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

function lookupIn(outcomes: Outcomes): Lookup {
  return (workload, kind, field = 'figure') => {
    const outcome = outcomes.get(workload)?.get(kind);
    return outcome && 'median' in outcome ? outcome.median[field] : undefined;
  };
}

/** Rows as a Markdown table; the first has the titles. */
export function align(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const lines = rows.map(
    (cells) => `| ${cells.map((cell, column) => pad(cell, column, widths[column] ?? 0)).join(' | ')} |`,
  );
  const rule = `|${widths.map((width, column) => (isNumeric(column) ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2))).join('|')}|`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

function pad(cell: string, column: number, width: number): string {
  return isNumeric(column) ? cell.padStart(width) : cell.padEnd(width);
}

function isNumeric(column: number): boolean {
  return column >= 2 && column <= 6;
}
