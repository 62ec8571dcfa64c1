import type { Awaitable } from '../../engine/ports.ts';
import { isThenable } from '../../model/basics/promises.ts';
import type { SecurityRequirement, SecurityScheme } from '../../model/card.ts';
import type { Authenticator, AuthRequest, AuthTools, Identity } from './authenticator.ts';
import { type ChallengeParameters, challengeOf } from './challenge.ts';
import { missingCredential, reasonOf } from './refusals.ts';
import { credentialsOf } from './taken-credentials.ts';

/** An identity and the authenticator that told it. */
export interface Authenticated {
  readonly identity: Identity;
  /** The authenticator's name. */
  readonly scheme: string;
}

/** All authenticators of a server as one. */
export interface Authentication {
  readonly authenticators: readonly Authenticator[];
  /** For the card, by name. */
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  /** For the card: any one of them is enough. */
  readonly requirements: readonly SecurityRequirement[];
  /**
   * The first authenticator that finds a credential of its kind decides. Throws `UNAUTHENTICATED` for a wrong
   * credential or none. Returns without a promise where the authenticators do.
   */
  authenticate(request: AuthRequest): Awaitable<Authenticated>;
  /** The `WWW-Authenticate` of a 401 (or 403): what each authenticator would take, and who refused. */
  challenge(error?: unknown, parameters?: ChallengeParameters): string;
  open(tools: AuthTools): Promise<void>;
  close(): Promise<void>;
}

export function combine(authenticators: readonly Authenticator[]): Authentication {
  checkNames(authenticators);
  checkIssuers(authenticators);
  return {
    authenticators,
    get schemes() {
      return Object.fromEntries(authenticators.map(({ name, scheme }) => [name, scheme]));
    },
    requirements: authenticators.map(({ name }) => ({ [name]: [] })),
    authenticate: (request) => authenticateFrom(authenticators, 0, request, undefined),
    challenge(error, parameters = {}) {
      const refusing = reasonOf(error)?.authenticator;
      const challenges = authenticators.map(({ name, scheme }) =>
        challengeOf(scheme, name === refusing ? { error: 'invalid_token', ...parameters } : parameters),
      );
      return [...new Set(challenges)].join(', ');
    },
    open: (tools) => openAll(authenticators, tools),
    close: () => closeAll(authenticators),
  };
}

/** Asks one authenticator after the other, without a promise for as long as none is needed. */
function authenticateFrom(
  authenticators: readonly Authenticator[],
  start: number,
  request: AuthRequest,
  refusal: unknown,
): Awaitable<Authenticated> {
  let refused = refusal;
  for (let index = start; index < authenticators.length; index++) {
    const authenticator = authenticators[index] as Authenticator;
    const { name } = authenticator;
    try {
      const result = authenticator.authenticate(request);
      if (isThenable(result)) {
        return result.then(
          (identity) =>
            identity ? { identity, scheme: name } : authenticateFrom(authenticators, index + 1, request, refused),
          (error: unknown) => authenticateFrom(authenticators, index + 1, request, foreignOr(error)),
        );
      }
      if (result) return { identity: result, scheme: name };
    } catch (error) {
      refused = foreignOr(error);
    }
  }
  throw refused ?? missingCredential(credentialsOf(authenticators.map(({ scheme }) => scheme)));
}

/** The refusal of a credential that another authenticator may know; any other failure ends the search. */
function foreignOr(error: unknown): unknown {
  if (reasonOf(error)?.isForeign) return error;
  throw error;
}

function checkNames(authenticators: readonly Authenticator[]): void {
  const names = new Set<string>();
  for (const { name } of authenticators) {
    // A colon marks callers from inside the server, which no credential stands for.
    if (!/^[\w.-]+$/.test(name)) throw new TypeError(`The name of an authenticator cannot be "${name}"`);
    if (names.has(name))
      throw new TypeError(`Two authenticators have the name "${name}"; give one of them another name`);
    names.add(name);
  }
}

/** Subjects of two issuers must never be taken for each other. */
function checkIssuers(authenticators: readonly Authenticator[]): void {
  const issuers = new Map<string, string>();
  for (const { issuer } of authenticators) {
    if (issuer === undefined) continue;
    const other = issuers.get(issuer.prefix);
    if (other !== undefined && other !== issuer.url) {
      const advice = 'give one of them a subjectPrefix, so that their subjects can be told apart';
      throw new TypeError(`${other} and ${issuer.url} may both have a subject of the same name; ${advice}`);
    }
    issuers.set(issuer.prefix, issuer.url);
  }
}

async function openAll(authenticators: readonly Authenticator[], tools: AuthTools): Promise<void> {
  const opened: Authenticator[] = [];
  try {
    for (const authenticator of authenticators) {
      opened.push(authenticator);
      await authenticator.open?.(tools);
    }
  } catch (error) {
    await closeAll(opened).catch(() => {});
    throw error;
  }
}

async function closeAll(authenticators: readonly Authenticator[]): Promise<void> {
  await Promise.all(authenticators.map(async (authenticator) => authenticator.close?.()));
}
