import type { Awaitable } from '../../../engine/ports.ts';
import { type Authenticator, type AuthRequest, type AuthTools, type Identity, UNOPENED } from '../authenticator.ts';
import { authorizationOf, LONGEST_CREDENTIAL } from '../credentials.ts';
import { checkedIdentity } from '../identity.ts';
import { PasswordMemory } from '../node/password-memory.ts';
import { verifyPassword } from '../node/scrypt.ts';
import { wrongCredential } from '../refusals.ts';
import { type PasswordHash, parseHash } from './password-hash.ts';

export interface BasicOptions {
  /** Hashes of passwords by name; `parley keys hash` makes them. The name is the subject. */
  readonly users: Readonly<Record<string, string>>;
  /** The scheme's name on the card. Default `basic`. */
  readonly name?: string | undefined;
}

interface Login {
  readonly user: string;
  readonly password: string;
}

/** Identifies callers by name and password (RFC 7617). Needs Node, or a runtime that has its `crypto`. */
export function basic({ users, name = 'basic' }: BasicOptions): Authenticator {
  const hashes = new Map(Object.entries(users).map(([user, hash]) => [user, hashOf(user, hash)]));
  const unknown = costliest([...hashes.values()]);
  const memory = new PasswordMemory();
  let tools: AuthTools = UNOPENED;

  async function check({ user, password }: Login): Promise<Identity> {
    const hash = hashes.get(user);
    // A name that nobody has takes as long as any other.
    const isRight = await verifyPassword(password, hash ?? unknown);
    if (!isRight || hash === undefined) throw wrongCredential(name, 'the name or the password is wrong');
    return checkedIdentity({ subject: user });
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

function hashOf(user: string, hash: string): PasswordHash {
  checkedIdentity({ subject: user });
  if (user.includes(':')) throw new TypeError(`basic: the name "${user}" must not have a colon`);
  try {
    return parseHash(hash);
  } catch (error) {
    const problem = error instanceof Error ? error.message : '';
    throw new TypeError(`basic: the hash of "${user}" cannot be used. ${problem}; parley keys hash makes one`);
  }
}

/** Of no password. */
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
