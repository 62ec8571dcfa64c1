import { A2AServer, type A2AServerOptions, type Agent, inputRequired, memory } from 'parley-a2a';
import { apiKeys, hashKey, jwt } from 'parley-a2a/auth';
import { type Store, withStore } from 'parley-a2a/ports';
import { sqlite } from 'parley-a2a/sqlite';
import { onTestFinished } from 'vitest';
import { AUDIENCE, type SigningKey, signingKey, tokenOf } from '../../auth/support/issuer.ts';
import { agentOf } from '../../support/script.ts';
import { SPEAKERS_MOUNTS } from '../../support/speakers.ts';
import { tempFile } from '../../support/temp-folder.ts';

export const ISSUER = 'https://login.example.com';
export const TRUSTED_KEY: SigningKey = await signingKey('one');

export type Headers = Readonly<Record<string, string>>;
export type Person = 'ann' | 'bob';

/** The ways in which a caller proves who it is. */
export const PROOFS = ['API key', 'token'] as const;
export type Proof = (typeof PROOFS)[number];

const API_KEYS: Readonly<Record<Person, string>> = {
  ann: 'a-key-of-ann-that-is-long-enough-00',
  bob: 'a-key-of-bob-that-is-long-enough-00',
};

/** The headers that prove who calls. */
export async function proofOf(person: Person, proof: Proof): Promise<Headers> {
  if (proof === 'API key') return { 'x-api-key': API_KEYS[person] };
  return { authorization: `Bearer ${await tokenOf(TRUSTED_KEY, { iss: ISSUER, sub: person })}` };
}

export const STORES: readonly (readonly [string, () => Store])[] = [
  ['memory', () => memory()],
  ['SQLite', () => sqlite(tempFile())],
];

/** Ends where the message says so; asks on otherwise. */
export const TALKER: Agent = agentOf((task) => (task.text.includes('finish') ? 'done' : inputRequired('More?')));

/** The methods of a store that look something up for a caller. */
const LOOKUPS = ['head', 'load', 'read', 'list', 'contextOwner', 'sharedContexts', 'contextState', 'key'] as const;

/** A store that notes what is looked up in it. */
function watched(store: Store, lookups: string[]): Store {
  const noting = (name: (typeof LOOKUPS)[number]) => {
    const method = store[name].bind(store) as (...parameters: unknown[]) => unknown;
    return (...parameters: unknown[]) => {
      lookups.push(name);
      return method(...parameters);
    };
  };
  return withStore(store, Object.fromEntries(LOOKUPS.map((name) => [name, noting(name)])) as Partial<Store>);
}

export interface Entry {
  readonly level: 'warn' | 'error';
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A server on a socket that two callers use. */
export interface Victim {
  readonly server: A2AServer;
  readonly url: string;
  /** The names of the store's methods that were called since the list was last emptied. */
  readonly lookups: string[];
  readonly logged: Entry[];
}

export async function startVictim(
  options: Partial<A2AServerOptions> = {},
  newStore: () => Store = memory,
): Promise<Victim> {
  const lookups: string[] = [];
  const logged: Entry[] = [];
  const entry = (level: Entry['level']) => (message: string, details: Entry['details']) =>
    void logged.push({ level, message, details });
  const keys = await Promise.all(
    Object.entries(API_KEYS).map(async ([subject, key]) => ({ id: subject, hash: await hashKey(key), subject })),
  );
  const server = new A2AServer({
    agents: [TALKER],
    mounts: SPEAKERS_MOUNTS,
    push: { resolve: () => [] },
    store: watched(newStore(), lookups),
    auth: [apiKeys({ keys }), jwt({ issuer: ISSUER, audience: AUDIENCE, jwks: { keys: [TRUSTED_KEY.jwk] } })],
    log: { warn: entry('warn'), error: entry('error') },
    drainTimeout: 0,
    ...options,
  });
  onTestFinished(() => server.close());
  await server.listen({ port: 0 });
  return { server, url: server.url ?? '', lookups, logged };
}
