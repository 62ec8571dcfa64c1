import type { ExchangeRequest } from '../../../bindings/exchange.ts';
import type { Clock, Logger } from '../../../engine/ports.ts';
import type { WrongCredential } from '../refusals.ts';

/** Refusals that are logged one by one in a minute; the log is not the caller's to fill. */
export const REFUSALS_A_MINUTE = 20;

const MINUTE = 60_000;
const LONGEST_REASON = 200;

/**
 * Tells operators of credentials that were refused: which authenticator refused them, whose connection they came from and why,
 * never the credential. Refusals beyond the bound are counted, and the count is logged when the minute is over.
 */
export class RefusalLog {
  readonly #log: Logger;
  readonly #clock: Pick<Clock, 'after'>;
  #count = 0;

  constructor(log: Logger, clock: Pick<Clock, 'after'>) {
    this.#log = log;
    this.#clock = clock;
  }

  note({ peer }: Pick<ExchangeRequest, 'peer'>, { authenticator, message }: WrongCredential): void {
    this.#count += 1;
    if (this.#count === 1) this.#clock.after(MINUTE, () => this.#endMinute());
    if (this.#count > REFUSALS_A_MINUTE) return;
    const reason = message.slice(0, LONGEST_REASON);
    this.#log.warn('A credential was refused', { scheme: authenticator, peer: peer.address, reason });
  }

  #endMinute(): void {
    const count = this.#count - REFUSALS_A_MINUTE;
    this.#count = 0;
    if (count > 0) this.#log.warn('More credentials were refused in the last minute', { count });
  }
}
