import { parseArgs } from 'node:util';
import { nearest } from '../model/options/nearest.ts';
import { UsageError } from './usage-error.ts';

interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  /** May be given several times. */
  readonly multiple?: boolean;
  /** The placeholder of its value in help. */
  readonly value?: string;
  readonly help: string;
}

/** Every option of every command: an option means the same everywhere, so options may stand before the command too. */
export const OPTIONS = {
  json: { type: 'boolean', help: 'print one JSON object per line, and nothing else' },
  header: {
    type: 'string',
    short: 'H',
    multiple: true,
    value: "'NAME: VALUE'",
    help: 'send this header; repeatable',
  },
  token: {
    type: 'string',
    value: 'TOKEN',
    help: 'prove who you are, as the card asks; a bearer token if it does not say. Or set PARLEY_TOKEN',
  },
  'allow-origin': {
    type: 'string',
    multiple: true,
    value: 'ORIGIN',
    help: 'send token, headers and messages to this origin too, besides the card’s',
  },
  jwks: {
    type: 'string',
    value: 'URL',
    help: 'trust only cards and webhooks signed by a key of this set, such as …/.well-known/jwks.json',
  },
  trust: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    help: 'trust only cards signed by the public key in this file (PEM, JWK or a set of JWKs); repeatable',
  },
  binding: { type: 'string', value: 'jsonrpc|rest|grpc', help: 'use only this binding' },
  protocol: { type: 'string', value: 'NAME', help: 'use only this version of A2A (1.0, 0.3) or dialect (jaf, …)' },
  timeout: {
    type: 'string',
    value: 'SECONDS',
    help: 'wait this long for a response, or for a stream to begin',
  },
  only: { type: 'string', multiple: true, value: 'AREA|ID', help: 'check only these rules; repeatable' },
  listen: {
    type: 'string',
    value: 'HOST',
    help: 'the address of this machine where the agent can reach a webhook',
  },
  junit: { type: 'string', value: 'FILE', help: 'also write the report to this file, as JUnit XML' },
  prompt: {
    type: 'string',
    multiple: true,
    value: 'SITUATION=TEXT',
    help: 'a message that brings the agent into a situation that rules need; repeatable',
  },
  'other-token': {
    type: 'string',
    value: 'TOKEN',
    help: 'a second caller, for the rules about other people’s tasks',
  },
  file: {
    type: 'string',
    short: 'f',
    multiple: true,
    value: 'PATH',
    help: 'attach a file; repeatable',
  },
  data: {
    type: 'string',
    short: 'd',
    multiple: true,
    value: 'JSON|@FILE',
    help: 'attach structured data; repeatable',
  },
  context: { type: 'string', value: 'ID', help: 'continue this conversation' },
  task: { type: 'string', value: 'ID', help: 'continue this task, for example to answer its question' },
  skill: { type: 'string', value: 'ID', help: 'ask for this skill' },
  output: { type: 'string', short: 'o', value: 'DIR', help: 'save files and data of the response to this folder' },
  'no-stream': { type: 'boolean', help: 'send one request and wait, even if the agent can stream' },
  'no-wait': { type: 'boolean', help: 'return at once, without waiting for the task to end' },
  state: { type: 'string', value: 'STATE', help: 'list only tasks in this state' },
  limit: { type: 'string', value: 'N', help: 'list at most this many tasks (20)' },
  all: { type: 'boolean', help: 'list all tasks' },
  everyone: { type: 'boolean', help: 'list the tasks of every caller; for operators (scope parley:operator)' },
  from: { type: 'string', value: 'SEQ', help: 'start after this event; 0 starts with the first one' },
  scope: { type: 'string', multiple: true, value: 'SCOPE', help: 'allow this; repeatable' },
  tenant: { type: 'string', value: 'TENANT', help: 'the tenant of the key; its caller sees no other' },
  flow: {
    type: 'string',
    value: 'page|device',
    help: 'log in on a page in a browser here, or with a code on any device',
  },
  'client-id': {
    type: 'string',
    value: 'ID',
    help: 'the name by which the authorization server knows you (parley)',
  },
  issuer: { type: 'string', value: 'URL', help: 'log in only at this authorization server' },
  id: { type: 'string', value: 'ID', help: 'the name of the new key (random)' },
  force: {
    type: 'boolean',
    help: 'go on where a file is in the way: backup overwrites it, restore and init keep it under another name',
  },
  salvage: { type: 'string', value: 'NEW', help: 'write what can be read of a damaged file to this new one' },
  port: { type: 'string', short: 'p', value: 'PORT', help: 'listen on this port (4000); 0 picks a free one' },
  http: { type: 'string', value: 'PORT', help: 'serve /mcp on this port; 0 picks a free one' },
  host: { type: 'string', value: 'HOST', help: 'listen on this address (127.0.0.1: this machine only)' },
  db: {
    type: 'string',
    value: 'FILE',
    help: 'keep tasks in this SQLite file; short for --store sqlite:FILE',
  },
  store: {
    type: 'string',
    value: 'PLACE',
    help: 'keep tasks in a database that servers can share (postgres://…), or in sqlite:FILE; in memory if left out',
  },
  bus: {
    type: 'string',
    value: 'URL',
    help: 'how servers that share a database notify each other: nats://…; through the database if left out',
  },
  role: {
    type: 'string',
    value: 'all|front|worker',
    help: 'among servers that share a database: front runs no tasks, worker listens on this machine only (all)',
  },
  lease: {
    type: 'string',
    value: 'SECONDS',
    help: 'other servers take over the tasks of one that is silent for this long (10)',
  },
  keys: {
    type: 'string',
    value: 'FILE',
    help: 'let in only callers with an API key of this file (parley keys create), or of the store: --keys store',
  },
  url: {
    type: 'string',
    value: 'URL',
    help: 'the address at which clients reach the server; cards show it',
  },
  'tls-cert': {
    type: 'string',
    value: 'FILE',
    help: 'serve HTTPS with this certificate and its chain (PEM); the server picks up a renewed one',
  },
  'tls-key': { type: 'string', value: 'FILE', help: 'the private key of --tls-cert (PEM)' },
  'tls-ca': {
    type: 'string',
    value: 'FILE',
    help: 'let in only clients with a certificate of this authority (PEM); without --keys it also names the caller',
  },
  secret: {
    type: 'string',
    multiple: true,
    value: 'WHSEC',
    help: 'take only notifications signed with this secret (whsec_…); or set PARLEY_WEBHOOK_SECRET',
  },
  'public-key': {
    type: 'string',
    multiple: true,
    value: 'WHPK',
    help: 'take only notifications signed with the key to which this one belongs (whpk_…)',
  },
  'card-key': {
    type: 'string',
    multiple: true,
    value: 'FILE',
    help: 'sign cards with the private key in this file (PEM or JWK; parley keys card); repeatable',
  },
  config: {
    type: 'string',
    value: 'FILE',
    help: 'the configuration file (parley.config.ts, .js or .json in this folder); or set PARLEY_CONFIG',
  },
  set: {
    type: 'string',
    multiple: true,
    value: 'NAME=VALUE',
    help: 'any setting of docs/configuration.md, such as limits.runs=100; repeatable',
  },
  'print-config': { type: 'boolean', help: 'print every setting and where it comes from, then exit' },
  'drain-timeout': {
    type: 'string',
    value: 'TIME',
    help: 'let tasks run on for this long after a signal to stop (10s)',
  },
  open: { type: 'boolean', help: 'let in anybody, even from other machines' },
  'log-level': {
    type: 'string',
    value: 'LEVEL',
    help: 'error, warn, info (one line per request), debug or silent; on standard error',
  },
  'log-format': {
    type: 'string',
    value: 'json|pretty',
    help: 'the format of the log (pretty in a terminal, else json)',
  },
  metrics: { type: 'boolean', help: 'serve metrics for Prometheus at /metrics, for operators' },
  'metrics-port': { type: 'string', value: 'PORT', help: 'serve metrics on a port of their own, on this machine' },
  console: { type: 'boolean', help: 'serve the console at /console to other machines too' },
  'no-console': { type: 'boolean', help: 'serve no console' },
  'grpc-port': { type: 'string', value: 'PORT', help: 'also serve gRPC, on this port' },
  watch: { type: 'boolean', help: 'restart when the files, or files that they import, change' },
  default: { type: 'string', value: 'NAME', help: 'the agent at the bare address (the first one)' },
  template: { type: 'string', value: 'basic|llm|express|next', help: 'the kind of project (basic)' },
  name: { type: 'string', value: 'NAME', help: 'the name of the project and its agent (the name of the folder)' },
  install: { type: 'boolean', help: 'install the packages' },
  'no-install': { type: 'boolean', help: 'do not install the packages' },
  git: { type: 'boolean', help: 'make the project a git repository' },
  'no-git': { type: 'boolean', help: 'do not make it one' },
  'package-manager': {
    type: 'string',
    value: 'npm|pnpm|yarn|bun',
    help: 'the package manager of the project (the one that started this command, else npm)',
  },
  package: {
    type: 'string',
    value: 'SPEC',
    help: 'where the project gets parley-a2a from: a version or a tarball (this release)',
  },
  help: { type: 'boolean', short: 'h', help: 'show this help' },
  version: { type: 'boolean', short: 'v', help: 'show the version' },
} as const satisfies Record<string, OptionSpec>;

export type OptionName = keyof typeof OPTIONS;

type ValueOf<Spec> = Spec extends { readonly type: 'boolean' }
  ? boolean
  : Spec extends { readonly multiple: true }
    ? readonly string[]
    : string;

export type Options = { readonly [Name in OptionName]?: ValueOf<(typeof OPTIONS)[Name]> | undefined };

export interface Arguments {
  readonly positionals: readonly string[];
  readonly options: Options;
}

/** For every command that calls an agent. */
export const CALL_OPTIONS: readonly OptionName[] = [
  'json',
  'token',
  'header',
  'binding',
  'protocol',
  'timeout',
  'allow-origin',
  'jwks',
  'trust',
];

/** Everywhere. */
export const GENERAL_OPTIONS: readonly OptionName[] = ['help', 'version'];

export function specOf(name: OptionName): OptionSpec {
  return OPTIONS[name];
}

function isOption(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name);
}

/**
 * Reads a command line; whether a command knows the options is checked when the command is known. The names in `likely`
 * come first where the advice on a wrong one is looked for.
 */
export function readArguments(args: readonly string[], likely: readonly string[] = []): Arguments {
  const { tokens } = parseArgs({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const positionals: string[] = [];
  const options: Record<string, boolean | string | string[]> = {};
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    if (!isOption(name)) throw unknownOption(rawName, likely, Object.keys(OPTIONS));
    const spec = specOf(name);
    if (spec.type === 'boolean') {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
      options[name] = true;
      continue;
    }
    const isForgotten = value === undefined || (!inlineValue && value.length > 1 && value.startsWith('-'));
    if (isForgotten) throw new UsageError(`${rawName} needs a value: ${rawName} ${spec.value}`);
    if (spec.multiple) options[name] = [...((options[name] as string[] | undefined) ?? []), value];
    else if (options[name] === undefined) options[name] = value;
    else throw new UsageError(`${rawName} may be given only once`);
  }
  return { positionals, options };
}

export function unknownOption(rawName: string, ...known: readonly (readonly string[])[]): UsageError {
  const name = rawName.replace(/^-+/, '');
  const meant = known.map((names) => nearest(name, names)).find((one) => one !== undefined);
  const advice = meant ? `; did you mean --${meant}?` : '; put text that begins with - after --';
  return new UsageError(`There is no option ${rawName}${advice}`);
}

/** A whole number in a range. */
export function wholeNumber(name: OptionName, value: string, least: number, most: number): number {
  if (/^\d+$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `from ${least} to ${most}`;
  throw new UsageError(`--${name} must be a whole number, ${range}, not "${value}"`);
}

/** One of a few words. */
export function oneOf<Word extends string>(name: OptionName, value: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === value.toLowerCase());
  if (found !== undefined) return found;
  const meant = /[a-z]/i.test(value) ? nearest(value, words) : undefined;
  throw new UsageError(
    `--${name} must be one of ${words.join(', ')}, not "${value}"${meant ? `; did you mean ${meant}?` : ''}`,
  );
}
