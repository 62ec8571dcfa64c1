import { address, choice, either, flag, json, list, off, programValue, text, wholeNumber } from '../kinds.ts';
import type { Setting } from '../setting.ts';
import { storePlace } from '../store-place.ts';

const texts = (plural: string) => list(text, plural);

/** Where the server listens, what it serves and where tasks are kept. */
export const PLACE_SETTINGS: readonly Setting[] = [
  {
    name: 'agents',
    kind: list(either(text, programValue('an agent')), 'files'),
    isPath: true,
    about: 'Modules whose exports are the agents; the FILEs of the command line take their place',
  },
  { name: 'default', kind: text, flag: 'default', about: 'The agent at the bare address; the first one without it' },
  {
    name: 'port',
    kind: wholeNumber(0, 65_535),
    flag: 'port',
    aliases: ['PORT'],
    default: 4000,
    about: 'Where to listen; 0 takes any free port',
  },
  {
    name: 'host',
    kind: text,
    flag: 'host',
    aliases: ['HOST'],
    default: '127.0.0.1',
    about: 'The address to listen on; others than that of this machine need auth, or open',
  },
  { name: 'url', kind: address, flag: 'url', about: 'Where clients reach the server, for its cards' },
  { name: 'basePath', kind: text, default: '/a2a', about: 'The path that operations are below' },
  {
    name: 'store',
    kind: either(storePlace, programValue('a store')),
    flag: 'store',
    shortFlag: 'db',
    aliases: ['PARLEY_DB'],
    isPath: true,
    default: 'memory',
    about: 'Where tasks are kept; in a program also a store',
  },
  {
    name: 'tls.cert',
    kind: text,
    flag: 'tls-cert',
    isPath: true,
    about: 'The certificate (PEM, the chain after it) with which HTTPS is served',
  },
  { name: 'tls.key', kind: text, flag: 'tls-key', isPath: true, about: 'The private key of the certificate (PEM)' },
  {
    name: 'tls.ca',
    kind: text,
    flag: 'tls-ca',
    isPath: true,
    about: 'The authority (PEM) whose certificates clients must have',
  },
  {
    name: 'grpc.port',
    kind: wholeNumber(0, 65_535),
    flag: 'grpc-port',
    about: 'Serves gRPC on this port too; 0 takes any free one; needs @grpc/grpc-js and @bufbuild/protobuf',
  },
  { name: 'grpc.host', kind: text, about: 'The address of that port; host without it' },
  { name: 'grpc.tls', kind: off, about: 'false for no TLS on that port, whatever tls says' },
  {
    name: 'grpc.address',
    kind: text,
    about: 'Where clients reach that port, e.g. agents.example.com:443, for cards; the host of the card without it',
  },
  { name: 'grpc.reflection', kind: flag, default: true, about: 'Whether tools may ask gRPC for its services' },
];

/** Who may call, and what they see. */
export const ACCESS_SETTINGS: readonly Setting[] = [
  {
    name: 'auth',
    kind: programValue('one or several authenticators'),
    isProgramValue: true,
    about: 'Authenticators of parley-a2a/auth, in the place of auth.keys and auth.jwt',
  },
  {
    name: 'auth.keys',
    kind: text,
    flag: 'keys',
    isPath: true,
    about: 'The file with the API keys that callers must have, or the word store for those in the store',
  },
  { name: 'auth.jwt.issuer', kind: address, about: 'Who makes the tokens that callers may have: their iss, exactly' },
  {
    name: 'auth.jwt.audience',
    kind: texts('names'),
    about: 'For whom the tokens are made: aud must have one of these',
  },
  { name: 'auth.jwt.jwks', kind: address, about: 'The address of the issuer’s keys; found by discovery without it' },
  {
    name: 'auth.jwt.secret',
    kind: text,
    isSecret: true,
    about: 'A secret of at least 32 bytes that is shared with the issuer, in the place of public keys',
  },
  { name: 'auth.jwt.tenant', kind: text, about: 'The claim that names the caller’s tenant' },
  {
    name: 'open',
    kind: flag,
    flag: 'open',
    default: false,
    about: 'Lets in anybody, also where other machines reach the server',
  },
  {
    name: 'cards',
    kind: choice('public', 'guarded'),
    default: 'public',
    about: 'Who may read cards and the list of agents',
  },
  {
    name: 'anonymous',
    kind: choice('shared', 'private'),
    about: 'Whether callers without credentials may list tasks; shared for callers on this machine without it',
  },
  {
    name: 'tenants',
    kind: either(texts('names'), programValue('a function')),
    about: 'The tenants that there are; those of credentials without it',
  },
  { name: 'authorize', kind: programValue('a function'), isProgramValue: true, about: 'Decides about each operation' },
  {
    name: 'hosts',
    kind: either(flag, texts('names')),
    about: 'The names by which clients may address the server, or true for any',
  },
  {
    name: 'cors',
    kind: either(flag, either(texts('origins'), json('an object', { type: 'object' }))),
    default: false,
    about: 'Lets pages of other origins call: true for any, or the origins',
  },
  { name: 'trustProxy', kind: flag, default: false, about: 'Believes the X-Forwarded-* headers of a proxy' },
  {
    name: 'secretKey',
    kind: either(texts('keys of 16 bytes or more'), programValue('keys')),
    isSecret: true,
    about: 'Encrypts the secrets that journals of resumable runs keep',
  },
];

/** How the protocol is spoken. */
export const PROTOCOL_SETTINGS: readonly Setting[] = [
  {
    name: 'card',
    kind: choice('merged', '1.0', '0.3'),
    default: 'merged',
    about: 'The card that a request without A2A-Version gets',
  },
  { name: 'card.shape', kind: choice('merged', '1.0', '0.3'), about: 'The same, beside card.sign' },
  {
    name: 'card.sign',
    kind: texts('files'),
    flag: 'card-key',
    isPath: true,
    about: 'Files with the private keys (PEM or JWK) that sign cards',
  },
  { name: 'cardMaxAge', kind: wholeNumber(), default: 300, about: 'Seconds for which clients may keep a card' },
  { name: 'inferVersion', kind: flag, default: true, about: 'Takes a PascalCase method without A2A-Version for 1.0' },
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
    about: 'The release whose HTTP statuses errors have',
  },
  {
    name: 'statusMessageSource',
    kind: choice('agent', 'latest'),
    default: 'agent',
    about: 'What stands in status.message',
  },
  {
    name: 'fileEncoding',
    kind: json('an object', { type: 'object' }),
    about: 'How files are read and written over HTTP+JSON of 0.3',
  },
  { name: 'mounts', kind: json('a list of mounts', { type: 'array' }), about: 'Addresses that speak one dialect' },
  { name: 'dialects', kind: programValue('a list of dialects'), isProgramValue: true, about: 'Dialects of your own' },
  { name: 'bindings', kind: programValue('a list of bindings'), isProgramValue: true, about: 'Bindings of your own' },
  {
    name: 'interceptors',
    kind: programValue('a list of interceptors'),
    isProgramValue: true,
    about: 'Functions around operations, runs and writes',
  },
  { name: 'taskStore', kind: programValue('a task store'), isProgramValue: true, about: 'A mirror of the tasks' },
];
