import { address, choice, either, flag, json, list, off, programValue, text, wholeNumber } from '../kinds.ts';
import type { Setting } from '../setting.ts';
import { storePlace } from '../store-place.ts';

const texts = (plural: string) => list(text, plural);

/** Addresses, agents and the store. */
export const PLACE_SETTINGS: readonly Setting[] = [
  {
    name: 'agents',
    kind: list(either(text, programValue('an agent')), 'files'),
    isPath: true,
    about: 'Modules that export the agents; FILEs on the command line replace them',
  },
  { name: 'default', kind: text, flag: 'default', about: 'The agent at the bare address; by default the first one' },
  {
    name: 'port',
    kind: wholeNumber(0, 65_535),
    flag: 'port',
    aliases: ['PORT'],
    default: 4000,
    about: 'The port to listen on; 0 takes any free port',
  },
  {
    name: 'host',
    kind: text,
    flag: 'host',
    aliases: ['HOST'],
    default: '127.0.0.1',
    about: 'The address to listen on; an address that other machines reach needs auth, or open',
  },
  { name: 'url', kind: address, flag: 'url', about: 'The address of the server on its cards' },
  { name: 'basePath', kind: text, default: '/a2a', about: 'The path of all operations' },
  {
    name: 'store',
    kind: either(storePlace, programValue('a store')),
    flag: 'store',
    shortFlag: 'db',
    aliases: ['PARLEY_DB'],
    isPath: true,
    default: 'memory',
    about: 'Keeps the tasks',
  },
  {
    name: 'tls.cert',
    kind: text,
    flag: 'tls-cert',
    isPath: true,
    about: 'The certificate for HTTPS (PEM, followed by its chain)',
  },
  { name: 'tls.key', kind: text, flag: 'tls-key', isPath: true, about: 'The private key of the certificate (PEM)' },
  {
    name: 'tls.ca',
    kind: text,
    flag: 'tls-ca',
    isPath: true,
    about: 'The authority (PEM) that must have signed the certificates of clients',
  },
  {
    name: 'grpc.port',
    kind: wholeNumber(0, 65_535),
    flag: 'grpc-port',
    about: 'Also serves gRPC, on this port; 0 takes any free port; needs @grpc/grpc-js and @bufbuild/protobuf',
  },
  { name: 'grpc.host', kind: text, about: 'The address to listen on for gRPC; by default host' },
  { name: 'grpc.tls', kind: off, about: 'false turns off TLS for gRPC, whatever tls says' },
  {
    name: 'grpc.address',
    kind: text,
    about: 'The address of gRPC on cards, e.g. agents.example.com:443; by default the host of the card',
  },
  { name: 'grpc.reflection', kind: flag, default: true, about: 'Lets tools ask gRPC for its services' },
];

/** Callers, and what they may see. */
export const ACCESS_SETTINGS: readonly Setting[] = [
  {
    name: 'auth',
    kind: programValue('one or several authenticators'),
    isProgramValue: true,
    about: 'Authenticators of parley-a2a/auth, instead of auth.keys and auth.jwt',
  },
  {
    name: 'auth.keys',
    kind: text,
    flag: 'keys',
    isPath: true,
    about: 'The file with the API keys of callers, or the word store for keys in the store',
  },
  { name: 'auth.jwt.issuer', kind: address, about: 'The issuer of callers’ tokens: exactly their iss' },
  {
    name: 'auth.jwt.audience',
    kind: texts('names'),
    about: 'The audience of the tokens: aud must have one of these',
  },
  { name: 'auth.jwt.jwks', kind: address, about: 'The address of the issuer’s keys; by default found by discovery' },
  {
    name: 'auth.jwt.secret',
    kind: text,
    isSecret: true,
    about: 'A secret of at least 32 bytes shared with the issuer, instead of public keys',
  },
  { name: 'auth.jwt.tenant', kind: text, about: 'The claim that names the caller’s tenant' },
  {
    name: 'open',
    kind: flag,
    flag: 'open',
    default: false,
    about: 'Lets anybody call, even if other machines reach the server',
  },
  {
    name: 'anonymous',
    kind: choice('shared', 'private'),
    about:
      'shared lets callers without credentials list each other’s tasks, private does not; by default shared among callers on this machine',
  },
  {
    name: 'tenants',
    kind: either(texts('names'), programValue('a function')),
    about: 'The tenants; by default those of credentials',
  },
  {
    name: 'authorize',
    kind: programValue('a function'),
    isProgramValue: true,
    about: 'Allows or refuses each operation',
  },
  {
    name: 'hosts',
    kind: either(flag, texts('names')),
    about: 'The host names that clients may use for the server, or true for any',
  },
  {
    name: 'cors',
    kind: either(flag, either(texts('origins'), json('an object', { type: 'object' }))),
    default: false,
    about: 'The origins whose pages may call, or true for any',
  },
  { name: 'trustProxy', kind: flag, default: false, about: 'Trusts the X-Forwarded-* headers of a proxy' },
  {
    name: 'secretKey',
    kind: either(texts('keys of 16 bytes or more'), programValue('keys')),
    isSecret: true,
    about: 'The key that encrypts secrets of resumable runs in the store',
  },
];

/** Versions, cards and dialects of the protocol. */
export const PROTOCOL_SETTINGS: readonly Setting[] = [
  {
    name: 'card',
    kind: choice('merged', '1.0', '0.3'),
    default: 'merged',
    about: 'The shape of the card for a request without A2A-Version',
  },
  {
    name: 'card.shape',
    kind: choice('merged', '1.0', '0.3'),
    about: 'The same as card, to use beside its other members',
  },
  {
    name: 'card.sign',
    kind: texts('files'),
    flag: 'card-key',
    isPath: true,
    about: 'Files with the private keys (PEM or JWK) that sign cards',
  },
  {
    name: 'card.access',
    kind: choice('public', 'guarded'),
    default: 'public',
    about: 'public shows cards and the list of agents to anybody, guarded only to callers with credentials',
  },
  { name: 'card.maxAge', kind: wholeNumber(), default: 300, about: 'Seconds for which clients may cache a card' },
  { name: 'inferVersion', kind: flag, default: true, about: 'Treats a PascalCase method without A2A-Version as 1.0' },
  {
    name: 'jsonRpcBatches',
    kind: flag,
    default: false,
    about: 'Accepts JSON-RPC batches of methods that do not stream',
  },
  {
    name: 'errorTable',
    kind: choice('1.0.0', '1.0.1'),
    default: '1.0.1',
    about: 'The release that decides the HTTP status of errors',
  },
  {
    name: 'statusMessageSource',
    kind: choice('agent', 'latest'),
    default: 'agent',
    about: 'The message that status.message shows: the agent’s own, or the latest of either side',
  },
  {
    name: 'fileEncoding',
    kind: json('an object', { type: 'object' }),
    about: 'The encoding of files over HTTP+JSON of 0.3',
  },
  { name: 'mounts', kind: json('a list of mounts', { type: 'array' }), about: 'Addresses that speak one dialect' },
  { name: 'dialects', kind: programValue('a list of dialects'), isProgramValue: true, about: 'Dialects of your own' },
  { name: 'bindings', kind: programValue('a list of bindings'), isProgramValue: true, about: 'Bindings of your own' },
  {
    name: 'interceptors',
    kind: programValue('a list of interceptors'),
    isProgramValue: true,
    about: 'Functions that wrap operations, runs and writes',
  },
  { name: 'taskStore', kind: programValue('a task store'), isProgramValue: true, about: 'A mirror of the tasks' },
];
