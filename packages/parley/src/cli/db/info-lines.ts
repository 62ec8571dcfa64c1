import type { FileInfo } from '../../stores/sqlite/care/file-info.ts';
import { counted, size } from '../text/amounts.ts';
import { padded } from '../text/width.ts';

const COLUMN = 14;

/** The figures of a file, for a person. */
export function infoLines(file: string, info: FileInfo): readonly string[] {
  const { schema, latestSchema, pageBytes, pages, freePages, rows } = info;
  const version = schema === latestSchema ? `${schema}` : `${schema}; this release has ${latestSchema} (db migrate)`;
  const states = Object.entries(info.states).map(([state, count]) => `${count} ${state}`);
  const { contexts = 0, logRows = 0, artifacts = 0, journalEntries = 0, keys = 0, webhooks = 0, apiKeys = 0 } = rows;
  const lines: readonly (readonly [string, string])[] = [
    ['file', file],
    ['schema', version],
    ['in use', info.isInUse ? 'by a server' : 'no'],
    ['size', `${size(info.bytes)}, and ${size(info.walBytes)} beside it (WAL)`],
    ['pages', `${pages} of ${pageBytes} bytes; ${freePages} are free (${size(freePages * pageBytes)})`],
    ['tasks', states.length === 0 ? 'none' : `${info.tasks}: ${states.join(', ')}`],
    ['without events', counted(info.trimmed, 'task')],
    ['oldest', `made ${dateOf(info.oldestTask)}, ended ${dateOf(info.oldestEnd)}`],
    ['latest change', dateOf(info.latestChange)],
    ['rows', `${logRows} of logs, ${artifacts} of artifacts, ${journalEntries} of journals`],
    [
      'others',
      `${counted(contexts, 'context')}, ${counted(keys, 'idempotency key')}, ${counted(webhooks, 'webhook')}, ${counted(apiKeys, 'API key')}`,
    ],
  ];
  return lines.map(([name, text]) => `${padded(name, COLUMN)}  ${text}`);
}

function dateOf(time: number | undefined): string {
  return time === undefined ? 'never' : new Date(time).toISOString();
}
