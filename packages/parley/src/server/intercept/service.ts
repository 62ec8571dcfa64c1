import type { StreamForm } from '../../bindings/event-stream.ts';
import type { Service, StreamResult, UnaryResult } from '../../bindings/service.ts';
import type { Call } from '../../model/call.ts';
import type { OperationInputs, StreamOperationName, UnaryOperationName } from '../../model/operations.ts';
import type { AgentService } from '../operations/service.ts';
import type { Interceptors } from './interceptors.ts';
import type { OperationOutcome } from './subjects.ts';

/** An agent's operations with the server's interceptors around them. */
export class InterceptedService implements Service {
  readonly admit: AgentService['admit'];
  readonly #inner: AgentService;
  readonly #interceptors: Interceptors;

  constructor(inner: AgentService, interceptors: Interceptors) {
    this.#inner = inner;
    this.admit = inner.admit;
    this.#interceptors = interceptors;
  }

  unary<Name extends UnaryOperationName>(call: Call<Name>, input: OperationInputs[Name]): Promise<UnaryResult<Name>> {
    const around = this.#interceptors.operation;
    if (!around) return this.#inner.unary(call, input);
    const next = async () => ({ kind: 'result', ...(await this.#inner.unary(call, input)) }) as OperationOutcome;
    return around(call, next, input).then((outcome) => {
      if (outcome?.kind !== 'result') throw notReturned(call);
      return outcome as unknown as UnaryResult<Name>;
    });
  }

  stream<Name extends StreamOperationName>(
    call: Call<Name>,
    input: OperationInputs[Name],
    form?: StreamForm,
  ): Promise<StreamResult> {
    const around = this.#interceptors.operation;
    if (!around) return this.#inner.stream(call, input, form);
    let begun: StreamResult | undefined;
    const next = async () => {
      begun = await this.#inner.stream(call, input, form);
      return begun;
    };
    return around(call, next, input)
      .then((outcome) => {
        // A stream cannot be made up or exchanged for another: the one that has begun is what the client reads.
        if (!begun || outcome?.kind !== begun.kind) throw notReturned(call);
        return outcome.kind === 'reply' ? { ...begun, ...outcome } : begun;
      })
      .catch((error: unknown) => {
        if (begun?.kind === 'stream') begun.events.close();
        throw error;
      });
  }
}

function notReturned({ operation }: Call): TypeError {
  return new TypeError(`An interceptor of ${operation} must return what next() resolved with`);
}
