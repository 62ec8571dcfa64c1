import { memory } from 'parley-a2a';
import {
  type ApiKeyRecord,
  type CommitEntry,
  type JournalEntry,
  type Owner,
  type Store,
  type TaskCommit,
  withStore,
} from 'parley-a2a/ports';
import { append } from '../../src/testing/store-contract/fixtures.ts';

/** Breaks one promise of a store in memory. */
export type Mutant = (store: Store) => Store;

/** The next turn of the loop: time for another node to look, as between two statements of a database. */
const aMoment = () => new Promise<void>((resolve) => void setTimeout(resolve));

/** As SQLite and Postgres would keep text without care: halves of surrogate pairs replaced, and U+0000 gone. */
function wellFormed<Value>(value: Value): Value {
  const text = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed().replaceAll('\0', '') : member,
  );
  return JSON.parse(text);
}

/** Writes one part of each refused commit to its task, in a commit of its own. */
function writesWhenRefused(part: (entry: TaskCommit) => Partial<TaskCommit>): Mutant {
  return (store) =>
    withStore(store, {
      commit: async (entries: readonly CommitEntry[]) => {
        const results = await store.commit(entries);
        for (const [index, entry] of entries.entries()) {
          if (results[index] === 'ok' || entry.kind === 'reply') continue;
          const head = await store.head(entry.head.id);
          if (head) await store.commit([{ ...append(head, []), ...part(entry) }]);
        }
        return results;
      },
    });
}

function withJournal(change: (entries: readonly JournalEntry[]) => readonly JournalEntry[]): Mutant {
  return (store) => withStore(store, { journal: async (id) => change(await store.journal(id)) });
}

/** Looks whether a value is there, waits, and then writes it, so that two who look at the same time both believe it theirs. */
function keptRace(store: Store): Store {
  const kept = new Map<string, string>();
  return withStore(store, {
    keptValue: (name) => kept.get(name),
    keepValue: async (name, value) => {
      if (kept.has(name)) return false;
      await aMoment();
      kept.set(name, value);
      return true;
    },
  });
}

function apiKeyRace(store: Store): Store {
  return withStore(store, {
    addApiKey: async (record: ApiKeyRecord) => {
      if (await store.apiKey(record.id)) return false;
      await aMoment();
      await store.removeApiKey(record.id);
      return store.addApiKey(record);
    },
  });
}

/** Looks whether the subjects are free, waits, and then lets the first owner have them, whatever came in between. */
function shareRace(store: Store): Store {
  return withStore(store, {
    shareContext: async (owner: Owner, contextId: string, subjects: readonly string[]) => {
      for (const subject of subjects) {
        const holder = await store.contextOwner({ tenant: owner.tenant, subject }, contextId);
        if (holder && holder.subject !== owner.subject) return { kind: 'taken', subject };
      }
      await aMoment();
      const result = await store.shareContext(owner, contextId, subjects);
      return result.kind === 'taken' ? { kind: 'shared' } : result;
    },
  });
}

function keyRace(store: Store): Store {
  return withStore(store, {
    commit: async (entries: readonly CommitEntry[]) => {
      const keys = entries.flatMap((entry) => (entry.kind === 'reply' ? [entry.key] : (entry.keys ?? [])));
      for (const { scope, key } of keys) {
        if (await store.key(scope, key, 0)) return store.commit(entries);
      }
      await aMoment();
      const results = await store.commit(entries);
      return results.map((result) => (result === 'key-taken' ? 'ok' : result));
    },
  });
}

/** Each mutant, and the beginning of the title of a test that must find it. */
export const MUTANTS: Readonly<Record<string, readonly [Mutant, string]>> = {
  'journal-reversed': [withJournal((entries) => entries.toReversed()), 'gives every entry in order'],
  'journal-bodies-lost': [
    withJournal((entries) => entries.map((entry) => ({ ...entry, body: {} }))),
    'gives every entry in order',
  ],
  'journal-by-text': [
    withJournal((entries) => entries.toSorted((left, right) => (`${left.number}` < `${right.number}` ? -1 : 1))),
    'gives every entry in order',
  ],
  'journal-when-refused': [writesWhenRefused(({ journal }) => ({ journal })), 'where the lease is an earlier'],
  'context-when-refused': [writesWhenRefused(({ context }) => ({ context })), 'where the seq was passed'],
  'bodies-when-refused': [writesWhenRefused(({ bodies }) => ({ bodies })), 'where one of its keys is taken'],
  'keys-when-refused': [writesWhenRefused(({ keys }) => ({ keys })), 'where the seq was passed'],
  'push-when-refused': [writesWhenRefused(({ pushConfigs }) => ({ pushConfigs })), 'where the lease is an earlier'],
  'ill-formed-text': [
    (store) =>
      withStore(store, {
        read: async (...asked) => wellFormed(await store.read(...asked)),
        load: async (...asked) => wellFormed(await store.load(...asked)),
      }),
    'in events, as they are read and loaded',
  ],
  'ill-formed-journal': [withJournal(wellFormed), 'gives every entry in order'],
  'ill-formed-kept-values': [
    (store) =>
      withStore(store, { keptValue: async (name) => wellFormed((await store.keptValue(name)) ?? null) as string }),
    'in kept values',
  ],
  'names-trimmed': [
    (store) => withStore(store, { contextOwner: (caller, id) => store.contextOwner(caller, id.trimEnd()) }),
    'in ids of contexts',
  ],
  'kept-race': [keptRace, 'are those of one of several who keep one'],
  'apikey-race': [apiKeyRace, 'are those of one of several who add or remove'],
  'share-race': [shareRace, 'go to one of two owners'],
  'key-race': [keyRace, 'are taken by one of several commits'],
  'rates-wrong': [
    (store) => withStore(store, { rates: { countRate: () => ({ total: 0, left: -1 }) } }),
    'count what was added to each key',
  ],
  'rates-for-ever': [
    (store) => {
      const totals = new Map<string, number>();
      const countRate = (key: string, count: number, window: number) => {
        totals.set(key, (totals.get(key) ?? 0) + count);
        return { total: totals.get(key) ?? 0, left: window };
      };
      return withStore(store, { rates: { countRate } });
    },
    'begin anew when the window has ended',
  ],
  'time-wrong': [(store) => withStore(store, { time: () => Number.NaN }), 'is in milliseconds since the epoch'],
  'time-in-seconds': [(store) => withStore(store, { time: () => Date.now() / 1000 }), 'is in milliseconds since'],
  'probe-writes': [
    (store) => withStore(store, { probe: () => void store.purge({ endedBefore: 1e15, limit: 10 }) }),
    'resolves while the store can write',
  ],
};

export const make = (now: () => number) => memory({ now, shared: true });
