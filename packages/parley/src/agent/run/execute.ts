import type { MessageDraft, RunHandle, Runner, TurnEnd } from '../../engine/turn/runner.ts';
import { type ObservableLike, observableOf } from '../../model/basics/observable.ts';
import { A2AError } from '../../model/errors/errors.ts';
import type { Task } from '../../model/task.ts';
import type { Agent } from '../agent.ts';
import type { AgentCalls } from '../calls.ts';
import { type FetchLink, noLinks } from '../files.ts';
import { isOutcome, type Outcome, Rejection, TaskFailure } from '../outcomes.ts';
import { authDraft } from '../questions/task-auth.ts';
import type { RunListener } from '../run-event.ts';
import { type OutputCheck, skillStart } from '../skills/typed-skills.ts';
import type { Output } from '../task-context.ts';
import { drainObservable } from './observable.ts';
import { messageDraft, metadataOf } from './outputs.ts';
import { type PerformStep, RunContext, type RunReach } from './run-context.ts';
import { isLastUpdate } from './update-outputs.ts';

interface RunSettings {
  /** The most outputs of an observable that may wait. */
  readonly most?: number | undefined;
  readonly fetchLink?: FetchLink | undefined;
  /** The listener for events of runs; undefined if there is none. */
  readonly listener?: (() => RunListener | undefined) | undefined;
  readonly performStep?: PerformStep | undefined;
}

/** An agent as something that the engine can run, under the name in its address. */
export function toRunner(
  name: string,
  agent: Agent,
  calls: AgentCalls,
  { most = MOST_BUFFERED, fetchLink = noLinks, listener, performStep }: RunSettings = {},
): Runner {
  const { resumable, refuseWhileWorking } = agent;
  const canceled = agent.onCancel && ((task: Pick<Task, 'id' | 'contextId'>) => saidOnCancel(agent, task));
  return {
    name,
    resumable,
    refuseWhileWorking,
    run: (handle) => execute(agent, handle, { calls, fetchLink, agent: name, listener, performStep }, most),
    canceled,
  };
}

async function saidOnCancel(agent: Agent, task: Pick<Task, 'id' | 'contextId'>): Promise<MessageDraft | undefined> {
  const message = await agent.onCancel?.(task);
  return message === undefined ? undefined : messageDraft(message);
}

/** The default of `limits.bufferedOutputs`. */
export const MOST_BUFFERED = 10_000;

async function execute(agent: Agent, handle: RunHandle, reach: RunReach, most: number): Promise<TurnEnd> {
  const starting = skillStart(agent, handle);
  const start = starting instanceof Promise ? await starting : starting;
  const context = new RunContext(handle, start, reach);
  try {
    const end = turnEnd(await outputOf(agent.run(context), context, most), context, start.output);
    return end instanceof Promise ? await end : end;
  } catch (error) {
    if (Rejection.isInstance(error)) return { state: 'rejected', message: messageDraft(error.content) };
    if (error instanceof TaskFailure) return { state: 'failed', message: messageDraft(error.message) };
    throw error;
  } finally {
    const sending = handle.isAborted ? undefined : reach.calls.settle(handle);
    if (sending) await sending;
  }
}

/** Writes what `run` yields and returns what it returned. */
function outputOf(result: unknown, context: RunContext, most: number): Promise<unknown> {
  // Before observables: what can be asked for the next output is never ahead of the store.
  if (isAsyncIterable(result)) return drain(result[Symbol.asyncIterator](), context);
  if (isIterable(result)) return drain(result[Symbol.iterator](), context);
  const observable = observableOf(result);
  if (observable) return observed(observable, context, most);
  return awaited(result, context, most);
}

async function awaited(result: unknown, context: RunContext, most: number): Promise<unknown> {
  const value: unknown = await result;
  // An async function may return a generator or an observable.
  const isSequence = isAsyncIterable(value) || isIterable(value) || observableOf(value) !== undefined;
  return isSequence ? outputOf(value, context, most) : value;
}

function observed(observable: ObservableLike<unknown>, context: RunContext, most: number): Promise<unknown> {
  const emit = (value: unknown) => context.emit(value as Output);
  return drainObservable(observable, { signal: context.signal, emit, isLast: isLastUpdate, most });
}

async function drain(
  iterator: AsyncIterator<unknown, unknown> | Iterator<unknown, unknown>,
  context: RunContext,
): Promise<unknown> {
  for (;;) {
    const step = await iterator.next();
    if (step.done) return step.value;
    if (context.isAborted) break;
    const wait = context.emit(step.value as Output);
    if (!wait) continue;
    await wait;
    if (context.isAborted || context.isSaid) break;
  }
  // The turn is over: let the generator clean up, without waiting for it.
  Promise.resolve(iterator.return?.()).catch(() => {});
  if (context.isAborted) throw context.signal.reason;
  return undefined;
}

/** At once, where nothing more is written and nothing is checked. */
function turnEnd(returned: unknown, context: RunContext, output: OutputCheck | undefined): TurnEnd | Promise<TurnEnd> {
  if (isOutcome(returned)) return fitting(outcomeEnd(returned), output);
  const wait = returned === undefined || returned === null ? undefined : context.emit(returned as Output);
  const end = () => fitting(context.said ? outcomeEnd(context.said) : { state: 'completed' }, output);
  return wait ? wait.then(end) : end();
}

/** Checks the end of a turn against the output schema of its skill, if it has one. */
function fitting(end: TurnEnd, output: OutputCheck | undefined): TurnEnd | Promise<TurnEnd> {
  return output && (end.state === 'completed' || end.state === 'reply') ? checked(end, output) : end;
}

async function checked(end: TurnEnd, output: OutputCheck): Promise<TurnEnd> {
  const message = end.message && { ...end.message, parts: await output.parts(end.message.parts) };
  await output.end();
  return message ? { ...end, message } : end;
}

function outcomeEnd(outcome: Outcome): TurnEnd {
  switch (outcome.outcome) {
    case 'reply':
      return { state: outcome.outcome, message: messageDraft(outcome.message) };
    case 'auth-required':
      return {
        state: outcome.outcome,
        message: authMessage(outcome),
        metadata: metadataOf(outcome.metadata),
      };
    case 'complete':
    case 'input-required':
    case 'failed':
    case 'rejected':
    case 'canceled':
      return {
        state: outcome.outcome === 'complete' ? 'completed' : outcome.outcome,
        message: outcome.message === undefined ? undefined : messageDraft(outcome.message),
        metadata: metadataOf(outcome.metadata),
      };
    default:
      throw new A2AError('INVALID_AGENT_RESPONSE', 'The agent returned an outcome that is not known');
  }
}

/** Undefined where the outcome says nothing: the state that the run has shown stays as it is. */
function authMessage({ message, auth }: Exclude<Outcome, { readonly outcome: 'reply' }>): MessageDraft | undefined {
  return message === undefined && auth === undefined ? undefined : authDraft({ ...auth, message });
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Arrays are lists of parts, not sequences of outputs. */
function isIterable(value: unknown): value is Iterable<unknown, unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value && !Array.isArray(value);
}
