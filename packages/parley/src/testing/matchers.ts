import { isA2AError } from '../model/errors/errors.ts';
import { textOf } from '../model/parts.ts';
import type { TaskState } from '../model/states.ts';
import { type Artifact, isTask, type Message, type Task } from '../model/task.ts';

/** The result of a matcher. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/** A task or a message, a promise of one, or a stream that comes to one. */
export type Checked = Task | Message | PromiseLike<Task | Message> | { readonly result: PromiseLike<Task | Message> };

export interface ArtifactShape {
  readonly artifactId?: string | undefined;
  readonly name?: string | undefined;
  readonly text?: string | RegExp | undefined;
  /** The media type of one of its parts. */
  readonly mediaType?: string | undefined;
}

/** A promise where the matcher has to wait for its subject. */
type Asserted<R, T> = T extends PromiseLike<unknown> | { readonly result: PromiseLike<unknown> } ? Promise<void> : R;

/** The assertions as `expect` shows them: `R` is what its own ones give, `T` what it was given. */
export interface A2AMatchers<R = void, T = unknown> {
  /** The task is completed. */
  toBeCompleted(): Asserted<R, T>;
  toBeInState(state: TaskState): Asserted<R, T>;
  /** All of the text: the artifacts', else the status message's, else the message's. */
  toHaveText(text: string | RegExp): Asserted<R, T>;
  /** There is such an artifact: by its name or id, or by what it is like. */
  toHaveArtifact(artifact: string | ArtifactShape): Asserted<R, T>;
  /** The task has failed or was rejected, for this reason or with such a message; or the call failed with this code. */
  toFailWith(reason: string | RegExp): Asserted<R, T>;
}

type Matcher<Args extends readonly unknown[]> = (
  received: Checked,
  ...args: Args
) => MatcherResult | Promise<MatcherResult>;

type Verdict = Omit<MatcherResult, 'message'> & { readonly message: string };

/**
 * Assertions on tasks, for `expect.extend`. What is received may be a task, a promise or a stream: `await` the assertion
 * unless it is a task.
 */
export const a2aMatchers: {
  readonly toBeCompleted: Matcher<[]>;
  readonly toBeInState: Matcher<[state: TaskState]>;
  readonly toHaveText: Matcher<[text: string | RegExp]>;
  readonly toHaveArtifact: Matcher<[artifact: string | ArtifactShape]>;
  readonly toFailWith: Matcher<[reason: string | RegExp]>;
} = {
  toBeCompleted: (received) => checked(received, (answer) => inState(answer, 'completed')),
  toBeInState: (received, state) => checked(received, (answer) => inState(answer, state)),
  toHaveText: (received, text) =>
    checked(received, (answer) => {
      const actual = answer instanceof Error ? '' : textOf(answer);
      const message = `the text ${JSON.stringify(actual)} to be ${shown(text)}`;
      return { pass: !(answer instanceof Error) && fits(actual, text), actual, expected: text, message };
    }),
  toHaveArtifact: (received, artifact) =>
    checked(received, (answer) => {
      const artifacts = answer instanceof Error || !isTask(answer) ? [] : answer.artifacts;
      const there = artifacts.map(({ artifactId, name }) => name ?? artifactId).join(', ') || 'none';
      const wanted = typeof artifact === 'string' ? JSON.stringify(artifact) : describe(artifact);
      const message = `an artifact ${wanted}; there is ${there}`;
      return { pass: artifacts.some((one) => isLike(one, artifact)), actual: artifacts, expected: artifact, message };
    }),
  toFailWith: (received, reason) =>
    checked(received, (answer) => {
      const actual = failureOf(answer);
      const message = `a failure with ${shown(reason)}; there is ${actual ? actual.join(', ') : toldState(answer)}`;
      return { pass: actual?.some((one) => fits(one, reason)) ?? false, actual, expected: reason, message };
    }),
};

type Answer = Task | Message | Error;

function checked(received: Checked, judge: (answer: Answer) => Verdict): MatcherResult | Promise<MatcherResult> {
  const verdict = (answer: Answer): MatcherResult => {
    const { message, ...rest } = judge(answer);
    return { ...rest, message: () => `expected ${message}${answer instanceof Error ? ` (${answer.message})` : ''}` };
  };
  const awaited = awaitedOf(received);
  if (!awaited) return verdict(received as Task | Message);
  return Promise.resolve(awaited).then(verdict, (error: unknown) =>
    verdict(error instanceof Error ? error : new Error(String(error))),
  );
}

function awaitedOf(received: Checked): PromiseLike<Task | Message> | undefined {
  if (typeof received !== 'object' || received === null)
    throw new TypeError('Not a task, a message, a promise or a stream');
  if ('then' in received) return received;
  return 'result' in received ? received.result : undefined;
}

function inState(answer: Answer, state: TaskState): Verdict {
  const actual = answer instanceof Error || !isTask(answer) ? undefined : answer.status.state;
  return {
    pass: actual === state,
    actual,
    expected: state,
    message: `the task to be ${state}; there is ${toldState(answer)}`,
  };
}

function toldState(answer: Answer): string {
  if (answer instanceof Error) return 'an error';
  if (!isTask(answer)) return 'a message without a task';
  const { state, message } = answer.status;
  const said = message ? textOf(message) : '';
  return said === '' ? `a task that is ${state}` : `a task that is ${state}: ${said}`;
}

/** The texts that can name the failure; undefined if there is none. */
function failureOf(answer: Answer): readonly string[] | undefined {
  if (isA2AError(answer)) {
    const words = [answer.code, answer.reason ?? '', answer.message];
    return [...words, ...(answer.task ? (failureOf(answer.task) ?? []) : [])];
  }
  if (answer instanceof Error) return [answer.message];
  if (!isTask(answer) || (answer.status.state !== 'failed' && answer.status.state !== 'rejected')) return undefined;
  const { message } = answer.status;
  const reason = message?.metadata?.reason;
  return [typeof reason === 'string' ? reason : '', message ? textOf(message) : ''].filter((text) => text !== '');
}

function isLike({ artifactId, name, parts }: Artifact, wanted: string | ArtifactShape): boolean {
  if (typeof wanted === 'string') return name === wanted || artifactId === wanted;
  return (
    (wanted.artifactId === undefined || wanted.artifactId === artifactId) &&
    (wanted.name === undefined || wanted.name === name) &&
    (wanted.text === undefined || fits(textOf(parts), wanted.text)) &&
    (wanted.mediaType === undefined || parts.some(({ mediaType }) => mediaType === wanted.mediaType))
  );
}

function fits(actual: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? actual === wanted : wanted.test(actual);
}

function shown(wanted: string | RegExp): string {
  return typeof wanted === 'string' ? JSON.stringify(wanted) : String(wanted);
}

function describe(shape: ArtifactShape): string {
  const members = Object.entries(shape).filter(([, value]) => value !== undefined);
  return `with ${members.map(([name, value]) => `${name} ${shown(value)}`).join(', ')}`;
}
