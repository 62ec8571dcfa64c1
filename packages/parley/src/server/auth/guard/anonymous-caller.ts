import type { ExchangeRequest } from '../../../bindings/exchange.ts';
import { ANONYMOUS, type Caller } from '../../../model/call.ts';
import { isLocalCall, type LocalitySettings } from '../../routing/locality.ts';

/** A caller that proves nothing. Only where it connects from is known, and only where that is asked for. */
export class AnonymousCaller implements Caller {
  readonly subject = ANONYMOUS.subject;
  readonly tenant = ANONYMOUS.tenant;
  readonly scopes = ANONYMOUS.scopes;
  readonly claims = ANONYMOUS.claims;
  readonly #request: ExchangeRequest;
  readonly #settings: LocalitySettings;

  constructor(request: ExchangeRequest, settings: LocalitySettings) {
    this.#request = request;
    this.#settings = settings;
  }

  get isLocal(): boolean {
    return isLocalCall(this.#request, this.#settings);
  }
}
