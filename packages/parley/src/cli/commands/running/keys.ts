import { withoutPasswords } from '../../../config/hidden.ts';
import { nearest } from '../../../model/options/nearest.ts';
import { subjectProblem, tenantProblem } from '../../../server/auth/identity.ts';
import { isKeyId } from '../../../server/auth/keys/key-record.ts';
import { newKey } from '../../../server/auth/keys/key-text.ts';
import { outliveOutput } from '../../broken-output.ts';
import type { Command } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { createCardKey } from '../../keys/card-key.ts';
import { openKeys } from '../../keys/key-holder.ts';
import { showKeys } from '../../keys/key-list.ts';
import { hashSecret, readSecret } from '../../keys/secret.ts';
import type { Options } from '../../options.ts';
import { CommandError } from '../../show/problems.ts';
import { Screen } from '../../show/screen.ts';
import type { Surroundings } from '../../surroundings.ts';
import { safeJson } from '../../text/clean.ts';
import { commandLine } from '../../text/shell.ts';
import { UsageError } from '../../usage-error.ts';

const ACTIONS = ['create', 'list', 'revoke', 'hash', 'card'] as const;
type Action = (typeof ACTIONS)[number];

interface Task {
  readonly word: string | undefined;
  readonly options: Options;
  readonly screen: Screen;
  readonly surroundings: Surroundings;
}

export const keys: Command = {
  name: 'keys',
  parameters: 'create SUBJECT | list | revoke ID | hash | card',
  summary: 'create, list and revoke API keys for callers; make hashes, and keys that sign cards',
  details:
    'Keys are kept in a file (--file, for apiKeys({ file })) or with the tasks (--db, --store, for apiKeys()), ' +
    'as hashes only; running servers notice changes. A new key is printed once. hash reads a password or a key ' +
    'from a pipe or at a prompt, and prints the hash that basic() and apiKeys() take. card writes a key that ' +
    'signs cards (serve --card-key) to a new file, and prints its public half, which clients trust (--trust).',
  actions: ACTIONS,
  words: [1, 2],
  optionHelp: {
    file: 'the file of the keys',
    db: 'the SQLite file of the server; short for --store sqlite:FILE',
    store: 'the database of the server (postgres://…), or sqlite:FILE',
    scope: 'what the key allows; repeatable',
  },
  options: ['file', 'db', 'store', 'tenant', 'scope', 'id', 'json'],
  examples: [
    'keys create ci-bot --scope report:write --file keys.json',
    'keys create ann --tenant acme --file keys.json',
    'keys list --file keys.json',
    'keys revoke 0f9c2a71e4 --file keys.json',
    'keys list --store postgres://parley:secret@db.example.com/agents',
    'keys hash',
    'keys card --file card-key.json > card-key.public.json',
  ],

  async run({ positionals: [action = '', word], options }, surroundings) {
    const screen = new Screen(surroundings, options.json);
    await RUN[actionOf(action)]({ word, options, screen, surroundings });
    return EXIT.done;
  },
};

const RUN: Readonly<Record<Action, (task: Task) => Promise<void>>> = { create, list, revoke, hash, card };

function actionOf(word: string): Action {
  const found = ACTIONS.find((action) => action === word);
  if (found) return found;
  const meant = nearest(word, ACTIONS);
  throw new UsageError(`keys cannot ${word}; ${meant ? `did you mean ${meant}?` : `it can ${ACTIONS.join(', ')}`}`);
}

async function create({ word: subject, options, screen, surroundings }: Task): Promise<void> {
  if (subject === undefined) throw new UsageError('keys create needs SUBJECT, the name of the caller who gets the key');
  const problem = subjectProblem(subject);
  if (problem !== undefined) throw new UsageError(`SUBJECT cannot be used: ${problem}`);
  const { id: wanted, tenant, scope: scopes = [] } = options;
  const ofTenant = tenant === undefined ? undefined : tenantProblem(tenant);
  if (ofTenant !== undefined) throw new UsageError(`--tenant cannot be used: ${ofTenant}`);
  if (wanted !== undefined && !isKeyId(wanted)) {
    throw new UsageError('--id must have letters, digits and hyphens, at most 64');
  }
  const { id, key, hash } = await newKey(wanted);
  const createdAt = new Date().toISOString();
  const belonging = tenant === undefined ? {} : { tenant };
  const entry = { id, hash, subject, ...belonging, ...(scopes.length > 0 && { scopes }), createdAt };
  const holder = openKeys(options, surroundings);
  const isAdded = await holder.add(entry);
  if (!isAdded) throw new CommandError(`There is a key ${id} already; choose another --id, or revoke that one first`);
  outliveOutput(surroundings);
  try {
    await screen.writeSurely(screen.json ? `${safeJson({ id, key, subject, ...belonging, scopes })}\n` : `${key}\n`);
  } catch (error) {
    await holder.remove(id);
    throw new CommandError(
      `The key could not be shown, and was removed again: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const revoking = commandLine(surroundings.program, 'keys', 'revoke', id, ...placeOf(options));
  screen.hint(`This is the only time that the key is shown. Revoke it with: ${revoking}`);
}

/** The options that name where the keys are. */
function placeOf({ db, store, file: [file] = [] }: Options): readonly string[] {
  if (store !== undefined) return ['--store', withoutPasswords(store)];
  return db === undefined ? ['--file', file ?? ''] : ['--db', db];
}

async function list({ word, options, screen, surroundings }: Task): Promise<void> {
  if (word !== undefined) throw new UsageError(`keys list takes no word; "${word}" is too much`);
  const known = await openKeys(options, surroundings).list();
  showKeys(known, screen);
  if (known.length === 0) screen.hint('There are no keys.');
}

async function revoke({ word: id, options, screen, surroundings }: Task): Promise<void> {
  if (id === undefined) throw new UsageError('keys revoke needs the ID of a key; keys list shows them');
  const isRemoved = await openKeys(options, surroundings).remove(id);
  if (!isRemoved) throw new CommandError(`There is no key ${id}; keys list shows those that there are`);
  if (screen.json) screen.object({ id, revoked: true });
  else screen.note(`Key ${id} is revoked.`);
}

async function hash({ word, screen, surroundings }: Task): Promise<void> {
  if (word !== undefined) screen.note('Other users of this machine can see command lines; pipe the secret in instead.');
  const made = await hashSecret(word ?? (await readSecret(surroundings)));
  if (screen.json) screen.object({ hash: made });
  else screen.write(`${made}\n`);
}

async function card({ word, options, screen, surroundings }: Task): Promise<void> {
  if (word !== undefined) throw new UsageError(`keys card takes no word; "${word}" is too much`);
  const [file, ...more] = options.file ?? [];
  if (
    file === undefined ||
    more.length > 0 ||
    options.db !== undefined ||
    options.store !== undefined ||
    options.scope !== undefined
  ) {
    throw new UsageError('keys card needs --file FILE, the new file of the key, and nothing else but --id');
  }
  screen.object(await createCardKey(file, surroundings.cwd, options.id));
  screen.hint(`The private key is in ${file}. Sign with it: ${surroundings.program} serve AGENT --card-key ${file}`);
}
