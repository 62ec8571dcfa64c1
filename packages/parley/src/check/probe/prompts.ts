import { listAt, textAt } from '../wire/json.ts';

/** The behavior that a prompt asks of an agent, so that a rule can be checked. */
export const SITUATIONS = [
  'task',
  'running',
  'asking',
  'authorizing',
  'failing',
  'rejecting',
  'replying',
  'chunks',
] as const;
export type Situation = (typeof SITUATIONS)[number];

/** A message that may bring a situation about. */
export interface Prompt {
  readonly text: string;
  /** The beginning of the message's id: servers that are made for the protocol's test kit go by it. */
  readonly idPrefix?: string | undefined;
}

/** Beginnings of message ids by which servers under the official test kit know what to do. */
const TEST_KIT: Readonly<Record<Situation, string>> = {
  task: 'tck-complete-task',
  running: 'tck-long-running',
  asking: 'tck-input-required',
  authorizing: 'tck-auth-required',
  failing: 'tck-task-failure',
  rejecting: 'tck-reject-task',
  replying: 'tck-message-response',
  chunks: 'tck-stream-chunked',
};

/** The text that a failing agent writes to its log alone. */
export const INNER_FAILURE = 'zebra-4711';

/** Scripts for the lab agent, which plays what a message says. */
const LAB: Readonly<Record<Situation, string>> = {
  task: 'chunk 2 8',
  running: 'say on it\nwait 60000',
  asking: 'ask Which one?',
  authorizing: 'auth Please sign in',
  failing: `say trying\nfail ${INNER_FAILURE}`,
  rejecting: 'reject No, thank you',
  replying: 'reply Hello',
  chunks: 'say writing\nsay still writing\nchunk 12 8 10',
};

export const GREETING = 'Hello';

export function labPrompts(): Readonly<Record<Situation, Prompt>> {
  return mapSituations((situation) => ({ text: LAB[situation] }));
}

export function testKitPrompt(situation: Situation): Prompt {
  return { text: GREETING, idPrefix: TEST_KIT[situation] };
}

function mapSituations<Value>(make: (situation: Situation) => Value): Readonly<Record<Situation, Value>> {
  return Object.fromEntries(SITUATIONS.map((situation) => [situation, make(situation)])) as Record<Situation, Value>;
}

/** The lab agent of the demo says in its card that it plays scripts. */
export function playsScripts(card: unknown): boolean {
  return (listAt(card, 'skills') ?? []).some(
    (skill) => textAt(skill, 'id') === 'script' && (textAt(skill, 'description') ?? '').startsWith('Plays a script.'),
  );
}

const MOST_EXAMPLES = 4;
const LONGEST_EXAMPLE = 2000;

/** The examples of a card's skills, as far as they are tried. */
export function examplesOf(card: unknown): readonly string[] {
  const examples = (listAt(card, 'skills') ?? []).flatMap((skill) => listAt(skill, 'examples') ?? []);
  const texts = examples.filter((text): text is string => typeof text === 'string' && text.length <= LONGEST_EXAMPLE);
  return [...new Set(texts)].slice(0, MOST_EXAMPLES);
}
