import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import type { Call } from '../../../model/call.ts';
import { isA2AError } from '../../../model/errors/errors.ts';
import { isTask } from '../../../model/task.ts';
import type { EventHandler } from '../../follow/event-handlers.ts';
import type { ServerHooks } from '../../follow/hooks.ts';
import type { ServerInterceptor } from '../../intercept/interceptors.ts';
import type { OperationOutcome } from '../../intercept/subjects.ts';
import { ATTRIBUTE, INSTRUMENTATION, METHOD_NAMES, OPERATION, SPAN, SPAN_EVENT, stateName } from '../names.ts';
import type { OpenTelemetry } from '../open-telemetry.ts';
import { addressAttributes, agentAttributes, inputAttributes, type ServerFacts, workAttributes } from './attributes.ts';
import { SpanContexts } from './span-context.ts';

/** The most spans that one commit is linked to. */
const MOST_LINKS = 16;

type Traced = Required<Pick<ServerInterceptor, 'operation' | 'run' | 'commit' | 'step' | 'call' | 'webhook' | 'event'>>;

/** Spans for what a server does, for the provider that the program has registered. Without content of messages. */
export function tracing(api: OpenTelemetry, facts: ServerFacts): Traced & Pick<ServerHooks, 'onEvent'> {
  const tracer = api.trace.getTracer(INSTRUMENTATION);
  return new Tracing(api, tracer, facts);
}

class Tracing implements Traced {
  readonly #api: OpenTelemetry;
  readonly #tracer: Tracer;
  readonly #facts: ServerFacts;
  readonly #contexts: SpanContexts;
  /** The spans of the runs that are at work, by their tasks. */
  readonly #runs = new Map<string, Span>();

  constructor(api: OpenTelemetry, tracer: Tracer, facts: ServerFacts) {
    this.#api = api;
    this.#tracer = tracer;
    this.#facts = facts;
    this.#contexts = new SpanContexts(api);
  }

  readonly operation: Traced['operation'] = async (call, next, input) => {
    const { operation, agent, dialect, binding } = call;
    const parent = this.#contexts.nearestOf(call.trace);
    const attributes = { [ATTRIBUTE.method]: METHOD_NAMES[operation] };
    const { SERVER } = this.#api.SpanKind;
    const span = this.#tracer.startSpan(METHOD_NAMES[operation], { kind: SERVER, attributes }, parent);
    if (span.isRecording()) {
      span.setAttributes({
        ...inputAttributes(input),
        ...agentAttributes(this.#facts, agent),
        ...addressAttributes(call.base),
        ...(call.clientAddress !== undefined && { [ATTRIBUTE.clientAddress]: call.clientAddress }),
        [ATTRIBUTE.protocolVersion]: this.#facts.versionOf(dialect),
        [ATTRIBUTE.dialect]: dialect,
        [ATTRIBUTE.binding]: binding,
      });
    }
    const trace = this.#contexts.continued(call.trace, span);
    if (trace) call.continueTrace(trace);
    try {
      const outcome = await this.#within(parent, span, next);
      this.#endOperation(call, span, outcome);
      return outcome;
    } catch (error) {
      this.#fail(span, error);
      span.end();
      throw error;
    }
  };

  /** A stream goes on after it has begun. */
  #endOperation(call: Call, span: Span, outcome: OperationOutcome): void {
    if (outcome.kind === 'stream') {
      if (outcome.taskId !== undefined) span.setAttribute(ATTRIBUTE.taskId, outcome.taskId);
      call.onEnd(({ isComplete }) => {
        span.setAttribute(ATTRIBUTE.outcome, isComplete ? 'complete' : 'left');
        span.end();
      });
      return;
    }
    const { result } = outcome.kind === 'result' ? outcome : { result: undefined };
    if (result && 'status' in result && isTask(result)) {
      const { id, contextId, status } = result;
      span.setAttributes({
        [ATTRIBUTE.taskId]: id,
        [ATTRIBUTE.taskState]: stateName(status.state),
        [ATTRIBUTE.conversation]: contextId,
      });
    }
    span.end();
  }

  readonly run: Traced['run'] = async (turn, next) => {
    const { agent, taskId, contextId, attempt } = turn;
    const attributes = {
      [ATTRIBUTE.operation]: OPERATION.invokeAgent,
      [ATTRIBUTE.taskId]: taskId,
      [ATTRIBUTE.conversation]: contextId,
      [ATTRIBUTE.attempt]: attempt,
      ...agentAttributes(this.#facts, agent),
    };
    // The work at hand may be that of another run which has just ended.
    const parent = this.#contexts.parentOf(turn.trace);
    const span = this.#tracer.startSpan(SPAN.invokeAgent(agent), { attributes }, parent);
    const trace = this.#contexts.continued(turn.trace, span);
    if (trace) turn.continueTrace(trace);
    this.#runs.set(taskId, span);
    try {
      const outcome = await this.#within(parent, span, next);
      span.setAttribute(ATTRIBUTE.taskState, stateName(outcome.state));
      if (outcome.state === 'failed' || outcome.state === 'rejected') this.#mark(span, outcome.state);
      return outcome;
    } catch (error) {
      this.#fail(span, error);
      throw error;
    } finally {
      if (this.#runs.get(taskId) === span) this.#runs.delete(taskId);
      span.end();
    }
  };

  readonly step: Traced['step'] = (step, next) => {
    const attributes = { [ATTRIBUTE.step]: step.name, [ATTRIBUTE.taskId]: step.taskId };
    return this.#around(SPAN.step(step.name), { attributes }, step, next);
  };

  readonly call: Traced['call'] = (call, next) => {
    const { name, url } = call.target;
    const { CLIENT, INTERNAL } = this.#api.SpanKind;
    const attributes = {
      [ATTRIBUTE.operation]: OPERATION.invokeAgent,
      ...(name !== undefined && { [ATTRIBUTE.agentName]: name }),
      ...(url !== undefined && addressAttributes(url)),
    };
    const kind = url === undefined ? INTERNAL : CLIENT;
    return this.#around(SPAN.invokeAgent(name), { kind, attributes }, call, next, (span, { taskId, state }) => {
      if (taskId !== undefined) span.setAttribute(ATTRIBUTE.taskId, taskId);
      if (state !== undefined) span.setAttribute(ATTRIBUTE.taskState, stateName(state));
      if (state === 'failed' || state === 'rejected') this.#mark(span, state);
    });
  };

  readonly webhook: Traced['webhook'] = (webhook, next) => {
    const attributes = {
      ...addressAttributes(webhook.url),
      [ATTRIBUTE.httpMethod]: 'POST',
      [ATTRIBUTE.taskId]: webhook.taskId,
      [ATTRIBUTE.webhook]: webhook.webhookId,
      [ATTRIBUTE.seq]: webhook.seq,
    };
    const { CLIENT } = this.#api.SpanKind;
    return this.#around(SPAN.webhook, { kind: CLIENT, attributes }, webhook, next, (span, { kind, status }) => {
      if (status !== undefined) span.setAttribute(ATTRIBUTE.httpStatus, status);
      span.setAttribute(ATTRIBUTE.outcome, kind);
      if (kind === 'failed') this.#mark(span, String(status));
    });
  };

  /** Part of the run whose events it writes; of several, linked to them. Others are nobody's: they have no span. */
  readonly commit: Traced['commit'] = (commit, next) => {
    const runs = commit.taskIds.flatMap((id) => this.#runs.get(id) ?? []).filter((span) => span.isRecording());
    const [first] = runs;
    if (!first) return next();
    const attributes = {
      [ATTRIBUTE.commitTasks]: commit.taskIds.length,
      [ATTRIBUTE.commitEvents]: commit.events,
    };
    const { ROOT_CONTEXT, trace } = this.#api;
    const isAlone = runs.length === 1;
    const links = isAlone ? [] : runs.slice(0, MOST_LINKS).map((span) => ({ context: span.spanContext() }));
    const parent = isAlone ? trace.setSpan(ROOT_CONTEXT, first) : ROOT_CONTEXT;
    return this.#spanned(this.#tracer.startSpan(SPAN.commit, { attributes, links }, parent), parent, next);
  };

  /** Models and tools are told of when they are done. */
  readonly event: Traced['event'] = (event) => {
    const run = this.#runs.get(event.taskId);
    const { name, kind, attributes, error } = workAttributes(event, this.#api.SpanKind);
    const parent = run ? this.#api.trace.setSpan(this.#api.ROOT_CONTEXT, run) : this.#api.ROOT_CONTEXT;
    const span = this.#tracer.startSpan(name, { kind, attributes, startTime: event.startedAt }, parent);
    if (error !== undefined) this.#mark(span, error);
    span.end(event.endedAt);
  };

  /** The events of a run are events of its span (S0.15). */
  readonly onEvent: EventHandler = (event, { taskId, seq }) => {
    const span = this.#runs.get(taskId);
    if (!span?.isRecording()) return;
    if (event.kind === 'status') {
      const state = stateName(event.status.state);
      span.addEvent(SPAN_EVENT.status, { [ATTRIBUTE.taskState]: state, [ATTRIBUTE.seq]: seq });
    } else if (event.kind === 'artifact' && event.lastChunk) {
      span.addEvent(SPAN_EVENT.artifact, { [ATTRIBUTE.seq]: seq });
    }
  };

  #around<Outcome>(
    name: string,
    options: { readonly kind?: number; readonly attributes: Attributes },
    work: Pick<Parameters<Traced['step']>[0], 'trace' | 'continueTrace'>,
    next: () => Promise<Outcome>,
    tell?: (span: Span, outcome: Outcome) => void,
  ): Promise<Outcome> {
    const parent = this.#contexts.nearestOf(work.trace);
    const span = this.#tracer.startSpan(name, options, parent);
    const trace = this.#contexts.continued(work.trace, span);
    if (trace) work.continueTrace(trace);
    return this.#spanned(span, parent, next, tell);
  }

  async #spanned<Outcome>(
    span: Span,
    parent: Context,
    next: () => Promise<Outcome>,
    tell?: (span: Span, outcome: Outcome) => void,
  ): Promise<Outcome> {
    try {
      const outcome = await this.#within(parent, span, next);
      tell?.(span, outcome);
      return outcome;
    } catch (error) {
      this.#fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  #within<Result>(parent: Context, span: Span, work: () => Promise<Result>): Promise<Result> {
    return this.#api.context.with(this.#api.trace.setSpan(parent, span), work);
  }

  /** The code or the kind of an error, and never its text: that may be about a caller. */
  #fail(span: Span, error: unknown): void {
    this.#mark(span, isA2AError(error) ? error.code : error instanceof Error ? error.name : 'Error');
  }

  #mark(span: Span, type: string): void {
    span.setAttribute(ATTRIBUTE.error, type);
    span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
  }
}
