import type { Awaitable } from '../../../engine/ports.ts';
import { isPlainObject } from '../../../model/basics/json.ts';
import { type Checks, checkOptions, filled, object, requireRight } from '../../../model/options/checks.ts';
import { type Authenticator, type AuthRequest, type AuthTools, type Identity, UNOPENED } from '../authenticator.ts';
import { authorizationOf, LONGEST_CREDENTIAL } from '../credentials.ts';
import { checkedIdentity, tenantProblem } from '../identity.ts';
import { PasswordMemory } from '../node/password-memory.ts';
import { verifyPassword } from '../node/scrypt.ts';
import { wrongCredential } from '../refusals.ts';
import { type PasswordHash, parseHash } from './password-hash.ts';

export interface BasicOptions {
  /** Users by name, which is the subject. Each has the hash of the password, alone or with scopes and a tenant. */
  readonly users: Readonly<Record<string, string | BasicUser>>;
  /** The scheme's name on the card. Default `basic`. */
  readonly name?: string | undefined;
}

/** A user of `basic` who belongs to a tenant, or has scopes. */
export interface BasicUser {
  /** The hash of the password; `parley keys hash` makes it. */
  readonly hash: string;
  /** The tenant that the user belongs to. Default: none. */
  readonly tenant?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

interface KnownUser {
  readonly hash: PasswordHash;
  readonly identity: Identity;
}

interface Login {
  readonly user: string;
  readonly password: string;
}

const OPTIONS: Checks<BasicOptions> = { users: object, name: filled };

/** Identifies callers by name and password (RFC 7617). Needs Node, or a runtime that has its `crypto`. */
export function basic(options: BasicOptions): Authenticator {
  checkOptions('basic', options, OPTIONS);
  requireRight('basic', object(options.users, 'users'));
  const { users, name = 'basic' } = options;
  const known = new Map(Object.entries(users).map(([user, setting]) => [user, knownUser(user, setting)]));
  const unknown = costliest([...known.values()].map(({ hash }) => hash));
  const memory = new PasswordMemory();
  let tools: AuthTools = UNOPENED;

  async function check({ user, password }: Login): Promise<Identity> {
    const found = known.get(user);
    // An unknown name takes as long as any other.
    const isRight = await verifyPassword(password, found?.hash ?? unknown);
    if (!isRight || found === undefined) throw wrongCredential(name, 'the name or the password is wrong');
    return found.identity;
  }

  return {
    name,
    scheme: { type: 'http', scheme: 'Basic' },
    open: (opened) => {
      tools = opened;
    },
    authenticate(request: AuthRequest): Awaitable<Identity | undefined> {
      const credential = authorizationOf(request, 'Basic');
      if (credential === undefined) return undefined;
      if (credential.length > LONGEST_CREDENTIAL) throw wrongCredential(name, 'it is too long');
      const login = loginOf(credential);
      if (login === undefined) throw wrongCredential(name, 'it is not a name and a password in base64');
      return memory.recall(credential, tools.now(), () => check(login));
    },
  };
}

/** Throws a TypeError that names the user where the setting is wrong. */
function knownUser(user: string, setting: unknown): KnownUser {
  if (user.includes(':')) throw new TypeError(`basic: the name "${user}" must not have a colon`);
  const { hash, ...more } = typeof setting === 'string' ? { hash: setting } : membersOf(user, setting);
  return { hash: hashOf(user, hash), identity: identityOf(user, more) };
}

const MEMBERS = ['hash', 'tenant', 'scopes'];

function membersOf(user: string, setting: unknown): Readonly<Record<string, unknown>> {
  const unknown = isPlainObject(setting) ? Object.keys(setting).find((member) => !MEMBERS.includes(member)) : '';
  if (isPlainObject(setting) && unknown === undefined) return setting;
  const what = unknown ? `has "${unknown}"; it may have` : 'must be a hash, or an object with';
  throw new TypeError(`basic: the user "${user}" ${what} ${MEMBERS.join(', ')}`);
}

function identityOf(user: string, { tenant, scopes }: Readonly<Record<string, unknown>>): Identity {
  try {
    // An empty tenant would make the user one of no tenant, who may name any.
    const problem = tenant === undefined ? undefined : tenantProblem(tenant);
    if (problem !== undefined) throw new TypeError(problem);
    return checkedIdentity({ subject: user, tenant, scopes });
  } catch (error) {
    throw new TypeError(`basic: the user "${user}" cannot be used. ${textOf(error)}`);
  }
}

function hashOf(user: string, hash: unknown): PasswordHash {
  try {
    return parseHash(String(hash));
  } catch (error) {
    throw new TypeError(`basic: the hash of "${user}" cannot be used. ${textOf(error)}; parley keys hash makes one`);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}

/** No password fits it. */
function costliest(hashes: readonly PasswordHash[]): PasswordHash {
  const workOf = ({ cost, blockSize, parallelization }: PasswordHash) => cost * blockSize * parallelization;
  const [first, ...others] = hashes;
  if (first === undefined) throw new TypeError('basic: there are no users');
  const most = others.reduce((one, other) => (workOf(other) > workOf(one) ? other : one), first);
  const [salt, key] = [new Uint8Array(most.salt.length), new Uint8Array(most.key.length)];
  return { ...most, salt: crypto.getRandomValues(salt), key: crypto.getRandomValues(key) };
}

function loginOf(credential: string): Login | undefined {
  try {
    const bytes = Uint8Array.from(atob(credential), (character) => character.charCodeAt(0));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const colon = text.indexOf(':');
    return colon === -1 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
  } catch {
    return undefined;
  }
}
