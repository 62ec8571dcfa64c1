import type { SoakReport } from './soak.ts';

const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MB`;

function sumOf(done: ReadonlyMap<string, number>, fits: (name: string) => boolean): number {
  return [...done].reduce((sum, [name, count]) => sum + (fits(name) ? count : 0), 0);
}

/** The figures of a run, one in each line. */
export function tableOf({ ledger, webhooks, states, steady, last, fileBytes, seconds }: SoakReport): string {
  const [warm = last] = steady;
  const rested = steady.at(-1) ?? last;
  const change = (name: 'sockets' | 'responses' | 'timers' | 'signals' | 'functions') =>
    `${warm[name]} -> ${rested[name]}`;
  const rows: readonly (readonly [string, string | number])[] = [
    ['seconds', Math.round(seconds)],
    ['messages sent', ledger.sent],
    ['streams opened', ledger.streams],
    ['events read', ledger.events],
    ['readings by hand', sumOf(ledger.done, (name) => name.startsWith('by hand'))],
    ['messages whose sender lost the connection', sumOf(ledger.done, (name) => name.endsWith(' lost'))],
    ['connections that were taken up again', ledger.reconnects],
    ['kills, restarts', `${ledger.kills}, ${ledger.restarts}`],
    ['tasks with a webhook, requests to webhooks', `${ledger.hooked.size}, ${webhooks.requests}`],
    [
      'tasks at the end',
      Object.entries(states)
        .map(([state, count]) => `${count} ${wordOf(state)}`)
        .join(', '),
    ],
    ['heap after the warm-up -> at the end', `${megabytes(warm.heapBytes)} -> ${megabytes(rested.heapBytes)}`],
    ['resident memory', `${megabytes(warm.residentBytes)} -> ${megabytes(rested.residentBytes)}`],
    ['sockets', change('sockets')],
    ['responses', change('responses')],
    ['timers', change('timers')],
    ['abort signals', change('signals')],
    ['functions (listeners among them)', change('functions')],
    ['file', megabytes(fileBytes)],
    ['findings', ledger.findingCount],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

function wordOf(state: string): string {
  return state.replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-');
}
