import { answeredAmong } from '../../model/extensions/open-questions.ts';
import { isTerminal } from '../../model/states.ts';
import { leaveToAny } from '../queue/leave-turn.ts';
import { withOwner } from '../queue/queued-turn.ts';
import { isOverdue, type Replay } from '../replay/replay.ts';
import { TurnJournal } from '../replay/turn-journal.ts';
import type { TurnRequest } from '../turn/runner.ts';
import type { QueuedMessage } from './messages/inbox.ts';
import type { TaskTurns } from './task-turns.ts';

/** Takes up the turn that an earlier process left unfinished; returns false where that is not possible. */
export function resumeTurn(turns: TaskTurns): boolean {
  const { log, records, writer, services } = turns;
  const replay = records.unfinished;
  if (!replay || turns.current || isTerminal(log.status.state)) return false;
  if (log.asking && replay.openQuestions.length > 0) waitAgain(turns, replay);
  else if (turns.hasBegun && replay.attempts >= services.limits.resumes) return false;
  else takeUp(turns, replay);
  writer.mark();
  return true;
}

/** Runs the turn again with what it had recorded. */
export function takeUp(turns: TaskTurns, replay: Replay, journal = journalOf(turns, replay)): void {
  const { log, records, output, hasBegun } = turns;
  if (leaveAgain(turns, replay)) {
    if (hasBegun && log.status.state !== 'working') output.appendStatus('working');
    return;
  }
  records.append({ kind: 'resumed' });
  if (hasBegun) turns.showWorking(false);
  runAgain(turns, replay, journal);
  if (!hasBegun && !turns.isQueued) turns.showWorking(false);
}

/**
 * Takes a message as the answer to the questions that it names, or to the oldest that the turn was left at, and runs the
 * turn again. Those that it does not answer are shown again as the run comes to them.
 */
export function answerLeftQuestions(turns: TaskTurns, replay: Replay, received: QueuedMessage): void {
  const { seq, message } = received;
  const { log, inbox, records, services } = turns;
  const now = services.clock.now();
  const answered = answeredAmong(
    message,
    replay.openQuestions.filter((question) => !isOverdue(question, now)),
  );
  // It is for a question that is too late by now, which the run finds out.
  if (answered.length === 0 && replay.openQuestions.length > 0) {
    inbox.add(received);
    waitAgain(turns, replay);
    return;
  }
  inbox.consumed = seq;
  const steps = new Set(answered.map(({ step }) => step));
  const journal = journalOf(turns, { ...replay, order: answeredLast(replay.order, steps) });
  const waited = now - Date.parse(log.status.timestamp);
  // A question that was asked again: the run asks it once more, and takes the message then.
  if (answered.length === 0) inbox.add(received);
  answered.forEach(({ step }, index) => {
    journal.answer(step, message);
    records.appendAnswered(step, seq, index === 0 ? waited : undefined);
  });
  takeUp(turns, { ...replay, waited: replay.waited + waited }, journal);
}

/** The order of the records with some questions answered now: the run gets their answers after all that was recorded. */
function answeredLast(order: Replay['order'], steps: ReadonlySet<string>): Replay['order'] {
  const written = order.at(-1)?.written;
  const last = order.filter(({ step }) => steps.has(step)).map(({ step }) => ({ step, called: written, written }));
  return [...order.filter(({ step }) => !steps.has(step)), ...last];
}

/** Runs the turn again up to the questions that are still open. Callers see no change. */
export function waitAgain(turns: TaskTurns, replay: Replay): void {
  if (leaveAgain(turns, replay)) return;
  // Recorded once more, so that there is a commit that takes the lease.
  for (const question of replay.openQuestions) turns.records.append({ kind: 'asked', ...question });
  runAgain(turns, replay, journalOf(turns, replay));
}

/** Leaves a turn that the journal has to any node, where this one has no slot for it. */
function leaveAgain(turns: TaskTurns, replay: Replay): boolean {
  return leaveToAny(turns, requestOf(turns, replay));
}

function journalOf({ services }: TaskTurns, replay: Replay): TurnJournal {
  return new TurnJournal(services.clock, replay);
}

function runAgain(turns: TaskTurns, replay: Replay, journal: TurnJournal): void {
  const { log, inbox, records, output } = turns;
  const { message, messageSeq, beginSeq } = replay;
  for (const told of replay.secrets) turns.secrets.add(told);
  records.unfinished = undefined;
  inbox.consumed = Math.max(inbox.consumed, replay.consumed);
  const request = requestOf(turns, replay);
  inbox.putFirst(replay.unread.map((unread) => ({ ...unread, request })));
  const history = log.talkBefore(beginSeq, messageSeq);
  turns.start(
    { message, history, request, messageSeq, journal, takenUpAt: log.seq },
    // Another node may be about to do the same: only the one whose commit succeeds may run the agent.
    { ready: records.whenCommitted() },
  );
  if (!journal.isReplaying) for (const artifact of journal.resets) output.resetArtifact(artifact, 'ended');
}

/** The request of the turn; time that the turn spent waiting for answers does not count towards its deadline. */
function requestOf({ log }: TaskTurns, { request, waited }: Replay): TurnRequest {
  const { deadline } = request;
  return {
    ...withOwner(request, log.identity.owner),
    deadline: deadline === undefined ? undefined : deadline + waited,
  };
}
