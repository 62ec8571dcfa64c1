import type { RunHandle, Runner, TurnEnd } from '../engine/runner.ts';
import { A2AError } from '../model/errors.ts';
import type { Agent } from './agent.ts';
import type { AgentCalls } from './calls.ts';
import type { Output } from './context.ts';
import { isOutcome, type Outcome, Rejection } from './outcomes.ts';
import { messageDraft } from './outputs.ts';
import { skillOf } from './skills.ts';
import { RunContext } from './task-context.ts';

/** An agent as something that the engine can run, under the name in its address. */
export function toRunner(name: string, agent: Agent, calls: AgentCalls): Runner {
  return { name, resumable: agent.resumable, run: (handle) => execute(agent, handle, calls) };
}

async function execute(agent: Agent, handle: RunHandle, calls: AgentCalls): Promise<TurnEnd> {
  const context = new RunContext(handle, skillOf(agent, handle.message), calls);
  try {
    return await turnEnd(await outputOf(agent.run(context), context), context);
  } catch (error) {
    if (Rejection.isInstance(error)) return { state: 'rejected', message: messageDraft(error.content) };
    throw error;
  }
}

/** Writes what `run` yields and gives back what it returned. */
async function outputOf(result: unknown, context: RunContext): Promise<unknown> {
  if (isAsyncIterable(result)) return drain(result[Symbol.asyncIterator](), context);
  if (isIterable(result)) return drain(result[Symbol.iterator](), context);
  const value: unknown = await result;
  // An async function may return a generator.
  return isAsyncIterable(value) || isIterable(value) ? outputOf(value, context) : value;
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
    if (wait) await wait;
    if (context.isAborted) break;
  }
  // The turn is over: let the generator clean up, without waiting for it.
  Promise.resolve(iterator.return?.()).catch(() => {});
  throw context.signal.reason;
}

async function turnEnd(returned: unknown, context: RunContext): Promise<TurnEnd> {
  if (isOutcome(returned)) return outcomeEnd(returned);
  if (returned !== undefined && returned !== null) await context.emit(returned as Output);
  return { state: 'completed' };
}

function outcomeEnd(outcome: Outcome): TurnEnd {
  switch (outcome.outcome) {
    case 'complete':
      return { state: 'completed', message: outcome.message === undefined ? undefined : messageDraft(outcome.message) };
    case 'reply':
    case 'input-required':
    case 'auth-required':
      return { state: outcome.outcome, message: messageDraft(outcome.message) };
    default:
      throw new A2AError('INVALID_AGENT_RESPONSE', 'The agent returned an outcome that is not known');
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Arrays are lists of parts, not sequences of outputs. */
function isIterable(value: unknown): value is Iterable<unknown, unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value && !Array.isArray(value);
}
