import type { Engine } from '../../engine/engine.ts';
import { isServingProcess } from './runtime.ts';

/** A part that opens before the engine and closes after it, or the other way round. */
export interface Opened {
  open(): Promise<void>;
  /** `patience`: milliseconds that its work may still take. */
  close(patience?: number): Promise<void>;
}

/** The steps beside the opening of the engine. */
export interface OpeningSteps {
  /** Throws where the settings cannot be used, which takes time to find out. */
  readonly check?: (() => Promise<void>) | undefined;
  /** Opened before everything else and closed after it. */
  readonly telemetry?: Opened | undefined;
  /** Opened before the engine and closed after it. */
  readonly first?: Opened | undefined;
  /** Opened after the engine and closed before it. */
  readonly last?: Opened | undefined;
}

/** Opens the engine once for all who ask. After a failure, parts that are open stay so, and the next who asks opens the rest. */
export class Opening {
  readonly #engine: Engine;
  readonly #check: (() => Promise<void>) | undefined;
  readonly #telemetry: Opened | undefined;
  readonly #first: Opened | undefined;
  readonly #last: Opened | undefined;
  #opening: Promise<void> | undefined;
  #isOpen = false;
  /** Its store is in use, by a server that may not be open yet. */
  #isEngineOpen = false;
  /** A caller awaits the opening and hears of its failure. */
  #isAwaited = false;

  constructor(engine: Engine, { check, telemetry, first, last }: OpeningSteps = {}) {
    this.#engine = engine;
    this.#check = check;
    this.#telemetry = telemetry;
    this.#first = first;
    this.#last = last;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Opens for a caller who awaits it. */
  open(): Promise<void> {
    this.#isAwaited = true;
    return this.whenOpen();
  }

  /**
   * Begins to open for an adapter, which awaits nothing. A failure is an unhandled rejection, which ends the process,
   * unless a caller awaits `open`. On runtimes that may do nothing before the first request, that request opens.
   */
  start(): void {
    if (!isServingProcess()) return;
    void this.whenOpen().catch((error: unknown) => {
      if (!this.#isAwaited) throw error;
    });
  }

  whenOpen(): Promise<void> {
    this.#opening ??= this.#open().then(
      () => {
        this.#isOpen = true;
      },
      (error: unknown) => {
        this.#opening = undefined;
        throw error;
      },
    );
    return this.#opening;
  }

  /** Lets runs finish; see Engine. */
  async drain(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    if (this.#isEngineOpen) await this.#engine.drain();
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    try {
      if (this.#isEngineOpen) await this.#engine.close(async (patience) => this.#last?.close(patience));
    } finally {
      try {
        await this.#first?.close();
      } finally {
        await this.#telemetry?.close();
      }
    }
  }

  async #open(): Promise<void> {
    if (!this.#isEngineOpen) {
      await this.#check?.();
      await this.#telemetry?.open();
      await this.#first?.open();
      await this.#engine.open();
      this.#isEngineOpen = true;
    }
    await this.#last?.open();
  }
}
