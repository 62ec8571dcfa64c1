import { nearest } from '../../../model/options/nearest.ts';
import type { Command } from '../../command.ts';
import { Screen } from '../../show/screen.ts';
import { UsageError } from '../../usage-error.ts';

const ACTIONS = ['info', 'migrate', 'backup', 'restore', 'verify', 'copy'] as const;
type Action = (typeof ACTIONS)[number];

/** The words that come after the action. */
const WORDS: Readonly<Record<Action, readonly string[]>> = {
  info: ['FILE'],
  migrate: ['FILE'],
  backup: ['FILE', 'COPY'],
  restore: ['COPY', 'FILE'],
  verify: ['FILE'],
  copy: ['FROM', 'TO'],
};

export const db: Command = {
  name: 'db',
  parameters: 'info FILE | migrate FILE | backup FILE COPY | restore COPY FILE | verify FILE | copy FILE POSTGRES-URL',
  summary: 'look after the SQLite file of a server: figures, copies, repairs',
  details:
    'info, backup and verify work while a server uses the file, and change nothing in it; migrate and restore ' +
    'need it to themselves. backup copies the file as it is at one moment, without its free pages. restore ' +
    'replaces the file by a copy; with --force it keeps a file that has tasks under another name. migrate makes ' +
    'a copy and brings the file to the schema of this release. verify examines every page, every relation ' +
    'between rows, and each task by its events; the exit code is 1 if anything is wrong. --salvage writes what ' +
    'can be read of a damaged file to a new one. copy moves the file to Postgres: it writes everything to an ' +
    'empty schema and compares it, event by event; it copies all or nothing. No server may use the file ' +
    'meanwhile.',
  actions: ACTIONS,
  words: [2, 3],
  options: ['force', 'salvage', 'json'],
  examples: [
    'db info tasks.db',
    'db backup tasks.db backups/tasks-monday.db',
    'db restore backups/tasks-monday.db tasks.db --force',
    'db verify tasks.db',
    'db verify tasks.db --salvage saved.db',
    'db copy tasks.db postgres://parley@db.example.com/agents',
  ],

  async run({ positionals: [word = '', ...words], options }, surroundings) {
    const action = actionOf(word);
    const wanted = WORDS[action];
    if (words.length !== wanted.length) throw new UsageError(`db ${action} needs ${wanted.join(' and ')}, and no more`);
    if (options.force && action !== 'backup' && action !== 'restore') {
      throw new UsageError('--force belongs to db backup and db restore');
    }
    if (options.salvage !== undefined && action !== 'verify') throw new UsageError('--salvage belongs to db verify');
    const task = { words, options, screen: new Screen(surroundings, options.json), surroundings };
    if (action === 'copy') return (await import('../../db/copy.ts')).copyStore(task);
    const { runDb } = await import('../../db/run-db.ts');
    return runDb[action](task);
  },
};

function actionOf(word: string): Action {
  const found = ACTIONS.find((action) => action === word);
  if (found) return found;
  const meant = nearest(word, ACTIONS);
  throw new UsageError(`db cannot ${word}; ${meant ? `did you mean ${meant}?` : `it can ${ACTIONS.join(', ')}`}`);
}
