import { existsSync, statSync } from 'node:fs';
import type { TaskEvent } from '../../../engine/log/events.ts';
import type { StoredTask } from '../../../engine/ports.ts';
import { StoreError } from '../../store-error.ts';
import type { Database } from '../file/driver.ts';
import { bytesByHeader } from '../file/file-header.ts';
import { isHeldHere } from '../file/held-files.ts';
import { inspectLock } from '../file/inspect.ts';
import { refusal } from '../file/location.ts';
import { assertOurs, headerOf, MIGRATIONS } from '../file/migrations.ts';
import { Reader } from '../read/reader.ts';
import { existingFile, openToLook, requireContent } from './look.ts';
import { SOUND_CHECKS } from './sound-checks.ts';

/** Something that a sound file does not have. */
interface Fault {
  readonly check: 'file' | 'pages' | 'rows' | 'tasks';
  readonly problem: string;
}

/** A task and all events of it that are kept. */
export interface LoggedTask {
  readonly stored: StoredTask;
  readonly events: readonly TaskEvent[];
}

export interface Examination {
  readonly schema: number;
  readonly isInUse: boolean;
  readonly bytes: number;
  /** Tasks and events that were read. */
  readonly tasks: number;
  readonly events: number;
  readonly faults: readonly Fault[];
}

/** Says what is wrong with a task; undefined for a sound one. */
type Judge = (task: LoggedTask) => string | undefined;

const MOST_FAULTS = 100;
const MOST_EXAMPLES = 3;
const ALL_EVENTS = { events: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER };

/**
 * Examines a file without changing it, also while a server uses it: its pages, what its rows say of each other, and each
 * task by its log. Throws a StoreError for a file that is not there, is empty, is another program's or of a newer release.
 */
export function examineFile(path: string, judge: Judge): Examination {
  const file = existingFile(path);
  requireContent(file, path);
  const faults: Fault[] = [];
  const seen = { schema: 0, tasks: 0, events: 0 };
  let database: Database | undefined;
  const attempt = (check: Fault['check'], look: (opened: Database) => void) => {
    if (!database || faults.length >= MOST_FAULTS) return;
    try {
      look(database);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      faults.push({ check, problem: reasonOf(path, error) });
    }
  };
  const note = (check: Fault['check'], problem: string) => {
    if (faults.length < MOST_FAULTS) faults.push({ check, problem });
  };
  try {
    noteCut(file, note);
    database = openToLook(file);
    attempt('file', (opened) => {
      const header = headerOf(opened);
      assertOurs(header, path);
      seen.schema = header.schema;
      opened.exec('BEGIN');
    });
    if (!faults.some(({ check }) => check === 'file')) {
      attempt('pages', (opened) => checkPages(opened, note));
      if (seen.schema === MIGRATIONS.length) attempt('rows', (opened) => checkRows(opened, note));
      attempt('tasks', (opened) => checkTasks(opened, judge, seen, note));
    }
  } finally {
    database?.close();
  }
  return { ...seen, isInUse: inspectLock(file), bytes: statSync(file).size, faults };
}

/** A file that a server of this process uses must not be opened past SQLite; see `isHeldHere`. */
function noteCut(file: string, note: Note): void {
  if (isHeldHere(file) || existsSync(`${file}-wal`)) return;
  const wanted = bytesByHeader(file);
  const { size } = statSync(file);
  if (size < wanted) note('file', `The file ends after ${size} of ${wanted} bytes`);
}

type Note = (check: Fault['check'], problem: string) => void;

function checkPages(database: Database, note: Note): void {
  const rows = database.prepare<Readonly<Record<string, string>>>(`PRAGMA integrity_check(${MOST_FAULTS})`).all();
  for (const row of rows) {
    for (const text of (Object.values(row)[0] ?? '').split('\n')) {
      if (text !== 'ok' && !text.startsWith('***')) note('pages', text);
    }
  }
}

function checkRows(database: Database, note: Note): void {
  for (const [fault, sql] of Object.entries(SOUND_CHECKS)) {
    try {
      const rows = database.prepare<object>(sql).all();
      if (rows.length === 0) continue;
      const examples = rows.slice(0, MOST_EXAMPLES).map((row) => JSON.stringify(row));
      const more = rows.length > MOST_EXAMPLES ? ` and ${rows.length - MOST_EXAMPLES} more` : '';
      note('rows', `It has ${fault}: ${examples.join(', ')}${more}`);
    } catch (error) {
      note('rows', `It cannot be told whether it has ${fault}: ${reasonOf('', error)}`);
    }
  }
}

function checkTasks(database: Database, judge: Judge, seen: { tasks: number; events: number }, note: Note): void {
  const reader = new Reader(database);
  const ids = database.prepare<{ readonly id: string }>('SELECT id FROM tasks ORDER BY key');
  for (const { id } of ids.iterate()) {
    try {
      const [stored] = reader.load([id], { history: true, artifacts: true });
      const events = reader.read(id, 0, ALL_EVENTS);
      seen.tasks += 1;
      seen.events += events.length;
      const problem = stored ? judge({ stored, events }) : 'its head cannot be found by its id';
      if (problem !== undefined) note('tasks', `Task ${id}: ${problem}`);
    } catch (error) {
      note('tasks', `Task ${id} cannot be read: ${reasonOf('', error)}`);
    }
  }
}

function reasonOf(path: string, error: unknown): string {
  const known = path === '' ? error : refusal(path, error);
  return known instanceof Error ? known.message : String(known);
}
