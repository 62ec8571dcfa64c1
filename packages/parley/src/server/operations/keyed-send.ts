import type { SendCall } from '../../engine/send/sends.ts';

/** A send under an idempotency key, which knows afterwards whether it joined an earlier one. */
export class KeyedSend implements SendCall {
  readonly scope: SendCall['scope'];
  readonly input: SendCall['input'];
  readonly extensions: SendCall['extensions'];
  readonly idempotencyKey: SendCall['idempotencyKey'];
  readonly admit: SendCall['admit'];
  readonly call: SendCall['call'];
  #isReplayed = false;

  constructor(send: Omit<SendCall, 'onReplayed'>) {
    this.scope = send.scope;
    this.input = send.input;
    this.extensions = send.extensions;
    this.idempotencyKey = send.idempotencyKey;
    this.admit = send.admit;
    this.call = send.call;
  }

  readonly onReplayed = (): void => {
    this.#isReplayed = true;
  };

  /** Returns true if the response to a send is that of an earlier one with the same key. */
  static isReplayed(send: SendCall): boolean {
    return send instanceof KeyedSend && send.#isReplayed;
  }
}
