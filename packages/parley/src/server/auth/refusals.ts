import { A2AError, isA2AError } from '../../model/errors/errors.ts';

/** The cause of a refusal, for logs and challenges; never sent to the peer. */
export class WrongCredential extends Error {
  /** The name of the authenticator that refused. */
  readonly authenticator: string;
  /** The credential is not this authenticator's own; another one may know it. */
  readonly isForeign: boolean;

  constructor(authenticator: string, why: string, isForeign: boolean, cause?: unknown) {
    super(why, cause === undefined ? undefined : { cause });
    this.name = 'WrongCredential';
    this.authenticator = authenticator;
    this.isForeign = isForeign;
  }
}

export interface WrongCredentialOptions {
  /** The message to the caller. Default: that the credentials are not valid. */
  readonly message?: string | undefined;
  /** Lets another authenticator try the credential. Default false. */
  readonly isForeign?: boolean | undefined;
  /** The error behind the refusal, for the log. */
  readonly cause?: unknown;
}

/** The refusal of a credential; `why` is for the log alone. */
export function wrongCredential(authenticator: string, why: string, options: WrongCredentialOptions = {}): A2AError {
  const { message = 'The credentials are not valid', isForeign = false, cause } = options;
  const reason = new WrongCredential(authenticator, why, isForeign, cause);
  return new A2AError('UNAUTHENTICATED', message, { cause: reason });
}

/** `taken` names what would be taken; without it the challenge alone says so. */
export function missingCredential(taken?: string): A2AError {
  return new A2AError('UNAUTHENTICATED', `Credentials are missing${taken ? `: send ${taken}` : ''}`);
}

/** The refusal of a credential that may be right. */
export function uncheckable(cause?: unknown): A2AError {
  return new A2AError('UNAVAILABLE', 'The credentials cannot be checked at the moment', { cause });
}

/** Why a credential was refused; undefined for every other failure. */
export function reasonOf(error: unknown): WrongCredential | undefined {
  return isA2AError(error) && error.cause instanceof WrongCredential ? error.cause : undefined;
}
