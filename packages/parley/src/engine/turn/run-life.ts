import { within } from '../node/within.ts';
import type { Clock } from '../ports.ts';
import { guardListeners } from './guarded-signal.ts';
import type { CancelHandler, MessageDraft, RunHandle } from './runner.ts';

type Phase = 'running' | 'canceling' | 'over';

/** Knows whether a run may still do something, and tells the run by its signal when it may not. */
export class RunLife {
  /** The run was aborted because another process takes it up. */
  goesOnElsewhere = false;
  #phase: Phase = 'running';
  #abortReason: Error | undefined;
  #controller: AbortController | undefined;
  readonly #cancelHandlers: CancelHandler[] = [];
  readonly #run: Pick<RunHandle, 'warn'>;

  constructor(run: Pick<RunHandle, 'warn'>) {
    this.#run = run;
  }

  get phase(): Phase {
    return this.#phase;
  }

  get isAborted(): boolean {
    return this.#abortReason !== undefined;
  }

  /** Made when it is first read: most runs never look at it. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      guardListeners(this.#controller.signal, (error) => {
        this.#run.warn('A listener of the signal of a run failed', { error });
      });
      if (this.#abortReason) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  requireRunning(): void {
    if (this.#phase !== 'running') throw this.#abortReason;
  }

  /** Returns undefined while the run may write; otherwise a rejection that need not be handled. */
  refusal(): Promise<never> | undefined {
    if (this.#phase !== 'over') return undefined;
    const refused = Promise.reject(this.#abortReason ?? new Error('The run is over'));
    refused.catch(() => {});
    return refused;
  }

  onCancel(handler: CancelHandler): void {
    this.#cancelHandlers.push(handler);
  }

  /** Lets the cancel handlers write for a while; resolves at once if there are none, else with their last message. */
  async runCancelHandlers(clock: Clock, patience: number): Promise<MessageDraft | undefined> {
    let message: MessageDraft | undefined;
    if (this.#cancelHandlers.length > 0) {
      const handled = this.#cancelHandlers.map(async (handler) => {
        message = (await handler()) ?? message;
      });
      await within(clock, patience, Promise.allSettled(handled));
    }
    this.#phase = 'over';
    return message;
  }

  /** The run has returned: there is nothing to abort, but nothing more is taken from it. */
  end(): void {
    this.#phase = 'over';
  }

  /** Marks the run as aborted; its parts are stopped between this and `signalAbort`. */
  abort(reason: Error, phase: 'canceling' | 'over'): void {
    this.#phase = phase;
    this.#abortReason = reason;
  }

  /** Tells the run. */
  signalAbort(): void {
    this.#controller?.abort(this.#abortReason);
  }
}
