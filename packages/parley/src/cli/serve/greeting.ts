import type { Agent } from '../../agent/agent.ts';
import { exampleInput } from '../../model/card.ts';
import { cleanLine } from '../text/clean.ts';
import { commandLine } from '../text/shell.ts';
import { KEYS_OF_STORE } from './settings/serve-settings.ts';

interface Served {
  readonly url: string;
  /** The address at which clients reach it, if that is another one. */
  readonly publicUrl?: string | undefined;
  /** The default one first. */
  readonly agents: readonly Agent[];
  /** The place of the tasks: a SQLite file or the address of a database, without its password. */
  readonly database: string | undefined;
  /** The address of the bus, without its password. */
  readonly bus?: string | undefined;
  readonly role?: string | undefined;
  /** The file with the keys of those who may call. */
  readonly keys: string | undefined;
  /** The file with the authority that has signed the certificates of those who may call. */
  readonly authority?: string | undefined;
  /** The address of the console; undefined where it is off. */
  readonly console?: string | undefined;
  readonly watches: boolean;
  readonly program: string;
}

const ROLES: Readonly<Record<string, string>> = {
  front: 'front; workers with the same store run what it takes',
  worker: 'worker; it runs what other servers with the same store take',
};

/** The greeting of a server: the agents' addresses and commands that work as they stand, but for the key. */
export function greeting(served: Served): string {
  const { url, publicUrl, agents, database, bus, role, keys, watches, program } = served;
  const address = publicUrl?.replace(/(?<!\/)\/+$/, '') ?? reachable(url);
  const proof = keys === undefined ? [] : ['--token', 'KEY'];
  const [first, ...others] = agents;
  const names = [`${first?.name} (the default)`, ...others.map(({ name }) => name)];
  const example = first?.skills.flatMap(({ examples = [] }) => examples.map(exampleInput))[0] ?? 'Hello';
  const rows: readonly (readonly [string, string])[] = [
    [others.length > 0 ? 'agents' : 'agent', others.length > 0 ? names.join(', ') : (first?.name ?? '')],
    ['card', `${address}/.well-known/agent-card.json`],
    ...(others[0] ? [['another', `${address}/a2a/agents/${others[0].name}`] as const] : []),
    ...(served.console === undefined ? [] : [['console', served.console] as const]),
    ['tasks', database === undefined ? 'in memory; --db FILE keeps them' : `kept in ${database}`],
    ['open to', openTo(served)],
    ...(bus === undefined ? [] : [['bus', bus] as const]),
    ...(role === undefined || role === 'all' ? [] : [['role', ROLES[role] ?? role] as const]),
    ...(watches ? [['watching', 'the files and what they import'] as const] : []),
  ];
  const steps: readonly (readonly [string, ...string[]])[] = [
    ...(keys === undefined ? [] : [makeKey(keys, database)]),
    ['Who is there', 'card', address],
    ['Ask for something and watch the answer being written', 'stream', address, example, ...proof],
    ['Talk', 'chat', address, ...proof],
  ];
  return `
Parley is listening on ${reachable(url)}

${rows.map(([label, value]) => `  ${label.padEnd(10)}${cleanLine(value)}`).join('\n')}

Try these:

${steps.map(([what, ...words], index) => `${index + 1}. ${what}:\n${commandLine(program, ...words)}\n`).join('\n')}
Stop with Ctrl+C.
`;
}

function makeKey(keys: string, database: string | undefined): readonly [string, ...string[]] {
  return ['Make a key for a caller', 'keys', 'create', 'alice', ...placeOf(keys, database)];
}

function placeOf(keys: string, database: string | undefined): readonly [string, string] {
  if (keys !== KEYS_OF_STORE && keys !== database) return ['--file', keys];
  return [database?.includes('://') ? '--store' : '--db', database ?? 'FILE'];
}

function openTo({ url, keys, authority }: Served): string {
  const reach = isOpen(url) ? 'every machine that can reach this one' : 'this machine only';
  const certified = authority === undefined ? reach : `${reach}, with a certificate of ${authority}`;
  if (keys !== undefined)
    return `${certified}, with a key of ${keys === KEYS_OF_STORE ? 'the store' : keys}: --token KEY`;
  if (authority !== undefined) return certified;
  return isOpen(url) ? `${reach}, without a password` : reach;
}

/** A server on all addresses is also on that of this machine. */
export function reachable(url: string): string {
  return url.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]');
}

function isOpen(url: string): boolean {
  const { hostname } = new URL(url);
  return !hostname.startsWith('127.') && hostname !== '[::1]' && hostname !== 'localhost';
}
