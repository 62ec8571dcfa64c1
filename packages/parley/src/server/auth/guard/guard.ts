import type { ExchangeRequest } from '../../../bindings/exchange.ts';
import type { Awaitable } from '../../../engine/ports.ts';
import { isThenable } from '../../../model/basics/promises.ts';
import type { Caller } from '../../../model/call.ts';
import { isA2AError } from '../../../model/errors/errors.ts';
import type { Asked } from '../../http/asked.ts';
import type { FailedCredentials } from '../../limits/failures/failed-credentials.ts';
import type { Authenticated } from '../combine.ts';
import { reasonOf } from '../refusals.ts';
import type { AgentSecurity } from './agent-security.ts';
import { identifiedCaller } from './identified-caller.ts';
import type { OpenedAuthentication } from './opened-authentication.ts';
import { Refusal } from './refusal.ts';
import type { RefusalLog } from './refusal-log.ts';
import type { ResourceMetadata } from './resource-metadata.ts';

interface GuardOptions {
  readonly opened: OpenedAuthentication;
  readonly resources: ResourceMetadata;
  readonly refusals: RefusalLog;
  /** Undefined where any number of wrong credentials may come. */
  readonly failures?: FailedCredentials | undefined;
  /** The security of the agent that a request is for; undefined where it is for none. */
  readonly securityOf: (asked: Asked) => AgentSecurity | undefined;
}

/** Tells who calls, and lets in only those whom the cards let in. Health is open to everybody, and cards by default (S1.1). */
export class Guard {
  readonly #options: GuardOptions;
  /** The callers of requests, for the log. */
  readonly #subjects = new WeakMap<ExchangeRequest, string>();

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** Sets the caller; returns undefined where that is known at once. Throws or rejects with the Refusal of a request. */
  check(asked: Asked): Promise<void> | undefined {
    const { request, access } = asked;
    // A request from inside the process needs no proof.
    if (request.caller !== undefined || access === 'public') return undefined;
    const barred = this.#options.failures?.refusalOf(request);
    if (barred) throw new Refusal(barred);
    const opening = this.#options.opened.whenOpen();
    return opening ? this.#checkWhen(opening, asked) : this.#check(asked);
  }

  async #checkWhen(opening: Promise<void>, asked: Asked): Promise<void> {
    await opening;
    await this.#check(asked);
  }

  #check(asked: Asked): Promise<void> | undefined {
    const refuse = (error: unknown): undefined => this.#refuse(asked, error);
    try {
      const found: Awaitable<Authenticated> = this.#options.opened.authentication.authenticate(asked.request);
      if (isThenable(found)) return found.then((known) => this.#admit(asked, known)).catch(refuse);
      this.#admit(asked, found);
      return undefined;
    } catch (error) {
      return refuse(error);
    }
  }

  /** The `WWW-Authenticate` of a response that asks for credentials; `error` is the reason. */
  challenge(asked: Asked, error?: unknown): string {
    const { opened, resources } = this.#options;
    return opened.authentication.challenge(error, { resourceMetadata: resources.addressFor(asked) });
  }

  /** The same for a response that asks for more than the credentials allow. */
  deniedChallenge(asked: Asked, scope: string | undefined): string {
    const { opened, resources } = this.#options;
    const resourceMetadata = resources.addressFor(asked);
    return opened.authentication.challenge(undefined, { resourceMetadata, scope, error: 'insufficient_scope' });
  }

  /** The subject of a request's caller, where it is known. */
  subjectOf(request: ExchangeRequest | undefined): string | undefined {
    return request && this.#subjects.get(request);
  }

  #admit(asked: Asked, authenticated: Authenticated): void {
    const caller: Caller = identifiedCaller(authenticated);
    this.#options.failures?.succeeded(asked.request);
    this.#options.securityOf(asked)?.require(caller);
    asked.caller = caller;
    this.#subjects.set(asked.request, caller.subject);
  }

  /** Returns for a caller without credentials, where the agent's card lets it in. */
  #refuse(asked: Asked, error: unknown): undefined {
    if (!isA2AError(error)) throw error;
    const reason = reasonOf(error);
    if (reason) {
      const barred = this.#options.failures?.failed(asked.request);
      if (barred) throw new Refusal(barred);
      this.#options.refusals.note(asked.request, reason);
    }
    const isMissing = error.code === 'UNAUTHENTICATED' && reason === undefined;
    if (isMissing && this.#options.securityOf(asked)?.allowsAnonymous) return undefined;
    throw new Refusal(error);
  }
}
