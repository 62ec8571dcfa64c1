import { parseArgs } from 'node:util';
import { nearest } from './text/nearest.ts';
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
  json: { type: 'boolean', help: 'one JSON object a line, and nothing else' },
  header: {
    type: 'string',
    short: 'H',
    multiple: true,
    value: "'NAME: VALUE'",
    help: 'a header to send; may be repeated',
  },
  token: {
    type: 'string',
    value: 'TOKEN',
    help: 'proves who you are, in the way that the card asks for, else as a bearer token; or set PARLEY_TOKEN',
  },
  'allow-origin': {
    type: 'string',
    multiple: true,
    value: 'ORIGIN',
    help: 'another origin than the card’s that may see token, headers and messages',
  },
  jwks: {
    type: 'string',
    value: 'URL',
    help: 'believes only what a key of this set has signed, cards and webhooks, such as …/.well-known/jwks.json',
  },
  trust: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    help: 'believes only cards that the public key in this file has signed (PEM, JWK, or a set of JWKs); may be repeated',
  },
  binding: { type: 'string', value: 'jsonrpc|rest|grpc', help: 'only this binding' },
  protocol: { type: 'string', value: 'NAME', help: 'only this version of A2A (1.0, 0.3) or dialect (jaf, …)' },
  timeout: {
    type: 'string',
    value: 'SECONDS',
    help: 'how long to wait for an answer, or for a stream to begin; for check: for the whole of it (180)',
  },
  only: { type: 'string', multiple: true, value: 'AREA|ID', help: 'only these rules; may be repeated' },
  listen: {
    type: 'string',
    value: 'HOST',
    help: 'the address of this machine at which the agent reaches its webhooks',
  },
  junit: { type: 'string', value: 'FILE', help: 'writes the report there, as JUnit’s XML' },
  prompt: {
    type: 'string',
    multiple: true,
    value: 'SITUATION=TEXT',
    help: 'a message that makes the agent do what rules need to see; may be repeated',
  },
  'other-token': {
    type: 'string',
    value: 'TOKEN',
    help: 'of a second caller, for the rules about other people’s tasks',
  },
  file: {
    type: 'string',
    short: 'f',
    multiple: true,
    value: 'PATH',
    help: 'sends a file along, may be repeated; or the file with the keys',
  },
  data: {
    type: 'string',
    short: 'd',
    multiple: true,
    value: 'JSON|@FILE',
    help: 'sends structured data along; may be repeated',
  },
  context: { type: 'string', value: 'ID', help: 'goes on with this conversation' },
  task: { type: 'string', value: 'ID', help: 'goes on with this task, such as to answer its question' },
  skill: { type: 'string', value: 'ID', help: 'the skill that is wanted' },
  output: { type: 'string', short: 'o', value: 'DIR', help: 'saves files and data of the answer there' },
  'no-stream': { type: 'boolean', help: 'one request that waits for the answer, even if the agent can stream' },
  'no-wait': { type: 'boolean', help: 'does not wait for the task to end' },
  state: { type: 'string', value: 'STATE', help: 'only tasks in this state' },
  limit: { type: 'string', value: 'N', help: 'at most so many tasks (20)' },
  all: { type: 'boolean', help: 'all tasks' },
  everyone: { type: 'boolean', help: 'tasks of every caller; for operators (scope parley:operator)' },
  from: { type: 'string', value: 'SEQ', help: 'begins behind this event; 0 = with the first one' },
  scope: { type: 'string', multiple: true, value: 'SCOPE', help: 'what the key or the login allows; may be repeated' },
  tenant: { type: 'string', value: 'TENANT', help: 'the tenant that the key belongs to; its caller sees no other' },
  flow: {
    type: 'string',
    value: 'page|device',
    help: 'logs in on a page in a browser here, or by a code on any device',
  },
  'client-id': {
    type: 'string',
    value: 'ID',
    help: 'the name under which the authorization server knows you (parley)',
  },
  issuer: { type: 'string', value: 'URL', help: 'the only authorization server to log in at' },
  id: { type: 'string', value: 'ID', help: 'the name of the new key (random)' },
  force: {
    type: 'boolean',
    help: 'goes on where a file is in the way: backup overwrites it, restore and init keep it under another name',
  },
  salvage: { type: 'string', value: 'NEW', help: 'writes what can be read of a damaged file into this new one' },
  port: { type: 'string', short: 'p', value: 'PORT', help: 'where to listen (4000; listen: 4040); 0 = any free port' },
  http: { type: 'string', value: 'PORT', help: 'serves /mcp on this port; 0 = any free port' },
  host: { type: 'string', value: 'HOST', help: 'the address to listen on (127.0.0.1: only this machine)' },
  db: {
    type: 'string',
    value: 'FILE',
    help: 'keeps tasks in this SQLite file: short for --store sqlite:FILE. For keys: the file of the server',
  },
  store: {
    type: 'string',
    value: 'PLACE',
    help: 'keeps tasks in a database that servers share (postgres://…), or in sqlite:FILE; without it they are in memory',
  },
  bus: {
    type: 'string',
    value: 'URL',
    help: 'how servers that share a database hear of each other: nats://…; over the database without it',
  },
  role: {
    type: 'string',
    value: 'all|front|worker',
    help: 'among servers that share a database: front runs nothing, worker listens on this machine only (all)',
  },
  lease: {
    type: 'string',
    value: 'SECONDS',
    help: 'how long other servers wait for one that is silent before they take its tasks (10)',
  },
  keys: {
    type: 'string',
    value: 'FILE',
    help: 'lets in only callers with an API key of this file (parley keys create); the word store: those in the store',
  },
  url: {
    type: 'string',
    value: 'URL',
    help: 'where clients reach the server, for its cards: behind a proxy, or with a name of its own',
  },
  'tls-cert': {
    type: 'string',
    value: 'FILE',
    help: 'serves HTTPS with this certificate (PEM; the chain after it); read again when it is renewed',
  },
  'tls-key': { type: 'string', value: 'FILE', help: 'the private key of --tls-cert (PEM)' },
  'tls-ca': {
    type: 'string',
    value: 'FILE',
    help: 'lets in only clients with a certificate of this authority (PEM); without --keys it tells who calls',
  },
  secret: {
    type: 'string',
    multiple: true,
    value: 'WHSEC',
    help: 'the secret that notifications must be signed with (whsec_…); or set PARLEY_WEBHOOK_SECRET',
  },
  'public-key': {
    type: 'string',
    multiple: true,
    value: 'WHPK',
    help: 'the sender’s key that notifications must be signed with (whpk_…)',
  },
  'card-key': {
    type: 'string',
    multiple: true,
    value: 'FILE',
    help: 'signs cards with the private key in this file (PEM or JWK; parley keys card); may be repeated',
  },
  config: {
    type: 'string',
    value: 'FILE',
    help: 'the configuration file (parley.config.ts, .js or .json of this folder); or set PARLEY_CONFIG',
  },
  set: {
    type: 'string',
    multiple: true,
    value: 'NAME=VALUE',
    help: 'any setting of docs/configuration.md, such as limits.runs=100; may be repeated',
  },
  'print-config': { type: 'boolean', help: 'shows all settings and where each comes from, and serves nothing' },
  'drain-timeout': { type: 'string', value: 'TIME', help: 'how long runs may go on after a signal to end (10s)' },
  open: { type: 'boolean', help: 'lets in anybody, also where other machines reach the server' },
  'log-level': {
    type: 'string',
    value: 'LEVEL',
    help: 'error, warn, info (a line for each request), debug or silent; by pino, on standard error',
  },
  'log-format': { type: 'string', value: 'json|pretty', help: 'the form of the log (pretty in a terminal, else json)' },
  metrics: { type: 'boolean', help: 'serves metrics for Prometheus at /metrics, for operators' },
  'metrics-port': { type: 'string', value: 'PORT', help: 'serves them on a port of their own, on this machine' },
  console: { type: 'boolean', help: 'serves the console at /console also where other machines reach the server' },
  'no-console': { type: 'boolean', help: 'serves no console' },
  'grpc-port': { type: 'string', value: 'PORT', help: 'serves gRPC on a port of its own too' },
  watch: { type: 'boolean', help: 'starts again when the files or what they import change' },
  default: { type: 'string', value: 'NAME', help: 'the agent at the bare address (the first)' },
  template: { type: 'string', value: 'basic|llm|express|next', help: 'what the new project is made of (basic)' },
  name: { type: 'string', value: 'NAME', help: 'the name of the new project and its agent (that of the folder)' },
  install: { type: 'boolean', help: 'installs the packages of the new project' },
  'no-install': { type: 'boolean', help: 'does not install them' },
  git: { type: 'boolean', help: 'makes the new project a git repository' },
  'no-git': { type: 'boolean', help: 'does not' },
  'package-manager': {
    type: 'string',
    value: 'npm|pnpm|yarn|bun',
    help: 'which one the new project uses (the one that has started this command, else npm)',
  },
  package: {
    type: 'string',
    value: 'SPEC',
    help: 'where the new project gets parley-a2a from: a version, or a tarball (this release)',
  },
  help: { type: 'boolean', short: 'h', help: 'shows this' },
  version: { type: 'boolean', short: 'v', help: 'shows the version' },
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
  const advice = meant ? `; did you mean --${meant}?` : '; text that begins with - goes behind --';
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
