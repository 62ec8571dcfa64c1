import { writeQueue } from '../../queue/leave-turn.ts';
import { answerLeftQuestions, takeUp, waitAgain } from '../takeover.ts';
import type { TaskTurns } from '../task-turns.ts';
import type { QueuedMessage } from './inbox.ts';
import type { Standing } from './standing.ts';

type Handlers = {
  readonly [Kind in Standing['kind']]: (
    turns: TaskTurns,
    received: QueuedMessage,
    standing: Extract<Standing, { readonly kind: Kind }>,
  ) => void;
};

/** Handles a message that is in the log, by how the task stands. The caller marks the writer. */
const HANDLERS: Handlers = {
  asking: (_, received, { turn }) => turn.questions.receive(received),

  running: ({ inbox }, received, { turn }) => {
    inbox.add(received);
    turn.notify();
  },

  waiting: (turns, received) => {
    turns.inbox.add(received);
    writeQueue(turns);
  },

  // The questions end unanswered when the run reaches them; the message stays for what the run does then.
  'asking-too-late': (turns, received, { replay }) => {
    turns.inbox.add(received);
    waitAgain(turns, replay);
  },

  'asking-left': (turns, received, { replay }) => answerLeftQuestions(turns, replay, received),

  'asking-lost': ({ inbox, output }, { seq }) => {
    inbox.consumed = seq;
    output.appendFailure('run-lost');
  },

  interrupted: (turns, received) => turns.beginNext(received),

  'working-left': (turns, received, { replay }) => {
    turns.inbox.add(received);
    takeUp(turns, replay);
  },

  'working-lost': ({ inbox, output }, { seq }) => {
    inbox.consumed = seq;
    output.appendFailure('store-failed');
  },
};

export function handleMessage(turns: TaskTurns, received: QueuedMessage, standing: Standing): void {
  HANDLERS[standing.kind](turns, received, standing as never);
}
