import type { RunEvent } from '../../../agent/run-event.ts';
import { A2AError } from '../../../model/errors/errors.ts';
import type { ServerInterceptor } from '../../intercept/interceptors.ts';
import { METHOD_NAMES } from '../names.ts';
import { BoundedLabel } from './bounded-label.ts';
import type { MetricsRegistry } from './registry.ts';

type Metered = Required<
  Pick<ServerInterceptor, 'operation' | 'run' | 'commit' | 'step' | 'call' | 'webhook' | 'event'>
>;

/** Told of the responses of a server. */
export interface ResponseWatch {
  /** `refusal`: why the request never became an operation. */
  responded(route: string, status: number, refusal?: A2AError): void;
}

interface MeteringClock {
  /** Milliseconds, for durations. */
  readonly elapsed: () => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Measures what a server does. No label has a task, a caller or a text in it. */
export class Metering implements Metered, ResponseWatch {
  readonly #registry: MetricsRegistry;
  readonly #clock: MeteringClock;
  readonly #models = new BoundedLabel();
  readonly #providers = new BoundedLabel();
  readonly #tools = new BoundedLabel();
  readonly #limits = new BoundedLabel();

  constructor(registry: MetricsRegistry, clock: MeteringClock) {
    this.#registry = registry;
    this.#clock = clock;
  }

  readonly operation: Metered['operation'] = async (call, next) => {
    const { dialect, binding } = call;
    const operation = METHOD_NAMES[call.operation];
    const since = this.#clock.elapsed();
    const done = (outcome: string) => {
      this.#registry.record('requests', { operation, dialect, binding, outcome });
      this.#registry.record('requestSeconds', { operation, dialect }, this.#seconds(since));
    };
    try {
      const outcome = await next();
      if (outcome.kind === 'stream') {
        call.onEnd(({ isComplete }) =>
          this.#registry.record('streams', { operation, outcome: isComplete ? 'complete' : 'left' }),
        );
      }
      done('ok');
      return outcome;
    } catch (error) {
      const refusal = A2AError.from(error);
      done(refusal.code.toLowerCase());
      this.#hitLimit(refusal);
      throw error;
    }
  };

  readonly run: Metered['run'] = async ({ agent }, next) => {
    const since = this.#clock.elapsed();
    let state: string = 'failed';
    try {
      const outcome = await next();
      state = outcome.state;
      return outcome;
    } finally {
      this.#registry.record('runs', { agent, state });
      this.#registry.record('runSeconds', { agent }, this.#seconds(since));
    }
  };

  readonly step: Metered['step'] = ({ agent }, next) =>
    this.#timed(next, (seconds, outcome) => this.#registry.record('stepSeconds', { agent, outcome }, seconds));

  readonly call: Metered['call'] = ({ agent }, next) =>
    this.#timed(next, (seconds, outcome) => this.#registry.record('callSeconds', { agent, outcome }, seconds));

  readonly commit: Metered['commit'] = ({ events }, next) =>
    this.#timed(next, (seconds, outcome) => {
      this.#registry.record('commitSeconds', { outcome }, seconds);
      if (outcome === 'failed' || events === 0) return;
      this.#registry.record('commitEvents', {}, events);
      this.#registry.record('events', {}, events);
    });

  readonly webhook: Metered['webhook'] = async ({ eventTime }, next) => {
    const since = this.#clock.elapsed();
    let outcome: string = 'failed';
    try {
      const told = await next();
      outcome = told.kind;
      return told;
    } finally {
      this.#registry.record('webhooks', { outcome });
      this.#registry.record('webhookSeconds', { outcome }, this.#seconds(since));
      const isTold = outcome === 'delivered' && eventTime !== undefined;
      if (isTold) this.#registry.record('webhookLag', {}, Math.max(0, this.#clock.now() - eventTime) / 1000);
    }
  };

  readonly event: Metered['event'] = (event: RunEvent) => {
    const seconds = Math.max(0, event.endedAt - event.startedAt) / 1000;
    if (event.kind === 'tool-call') {
      const outcome = event.isError ? 'failed' : 'ok';
      this.#registry.record('toolSeconds', { tool: this.#tools.of(event.toolName), outcome }, seconds);
      return;
    }
    const { usage, error } = event;
    const labels = { provider: this.#providers.of(event.provider), model: this.#models.of(event.model) };
    this.#registry.record('modelCalls', { ...labels, outcome: error ? 'failed' : 'ok' });
    this.#registry.record('modelSeconds', labels, seconds);
    this.#countTokens({ ...labels, type: 'input' }, usage?.inputTokens);
    this.#countTokens({ ...labels, type: 'output' }, usage?.outputTokens);
  };

  responded(route: string, status: number, refusal?: A2AError): void {
    this.#registry.record('responses', { route, status: String(status) });
    if (refusal) this.#hitLimit(refusal);
  }

  #hitLimit({ metadata }: A2AError): void {
    if (metadata.limit !== undefined) this.#registry.record('limits', { limit: this.#limits.of(metadata.limit) });
  }

  #countTokens(labels: { readonly provider: string; readonly model: string; readonly type: string }, count = 0): void {
    if (!(count > 0)) return;
    this.#registry.record('modelTokens', labels, count);
    this.#registry.record('tokenUsage', labels, count);
  }

  async #timed<Outcome>(
    next: () => Promise<Outcome>,
    tell: (seconds: number, outcome: 'ok' | 'failed') => void,
  ): Promise<Outcome> {
    const since = this.#clock.elapsed();
    try {
      const outcome = await next();
      tell(this.#seconds(since), 'ok');
      return outcome;
    } catch (error) {
      tell(this.#seconds(since), 'failed');
      throw error;
    }
  }

  #seconds(since: number): number {
    return Math.max(0, this.#clock.elapsed() - since) / 1000;
  }
}
