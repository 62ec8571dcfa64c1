import type { JsonObject } from '../../model/basics/json.ts';
import { PRIORITIES } from '../../model/operations.ts';
import type { Message, TaskStatus } from '../../model/task.ts';
import type { Owner, QueuedTurn } from '../ports.ts';
import type { SecretContent } from '../replay/sealed-secret.ts';
import type { QueuedMessage } from '../task/messages/inbox.ts';
import type { TurnRequest } from '../turn/runner.ts';

/** A turn that waits for any node, as its task holds it. */
export interface WaitingTurn {
  /** The message that the turn begins with; undefined where its run was begun before, and is taken up from the journal. */
  readonly first: QueuedMessage | undefined;
  /** The status that the task showed when the message came. */
  readonly statusBefore?: TaskStatus | undefined;
  readonly priority: number;
  readonly arrival: number;
  readonly deadline: number | undefined;
}

/** A message of the log by its place, with the request that brought it. */
interface Brought {
  readonly seq: number;
  readonly request: Omit<TurnRequest, 'owner'>;
  /** The content of the message and the metadata of its request, encrypted, where the log does not have them. */
  readonly sealed?: string | undefined;
}

interface Body {
  readonly first?: Brought | undefined;
  readonly statusBefore?: TaskStatus | undefined;
  /** The messages that came since and that no run has read, oldest first. Those of a journaled turn are found by its journal. */
  readonly unread: readonly Brought[];
}

/** A secret that this node has no key for: the agent sees that there is none. */
const UNREADABLE: SecretContent = { message: { messageId: 'secret', role: 'user', parts: [] }, metadata: {} };

/** The turn of a request that waits since then. */
export function waitingTurn(
  request: Pick<TurnRequest, 'priority' | 'deadline'>,
  arrival: number,
  first?: QueuedMessage,
  statusBefore?: TaskStatus,
): WaitingTurn {
  const priority = PRIORITIES.indexOf(request.priority ?? 'normal');
  return { first, statusBefore, priority, arrival, deadline: request.deadline };
}

/** The turn as the store keeps it: messages are in the log, so only their places are written. */
export function queuedTurnOf(turn: WaitingTurn, unread: readonly QueuedMessage[]): QueuedTurn {
  const { first, statusBefore, priority, arrival, deadline } = turn;
  const body: Body = { first: first && broughtOf(first), statusBefore, unread: first ? unread.map(broughtOf) : [] };
  return { priority, arrival, deadline, body: body as unknown as JsonObject };
}

/** Reads what a store has kept of a task's turn. `messages`: those of the log, by their places. `secret`: the one that it begins with. */
export function readQueuedTurn(
  { priority, arrival, deadline, body }: QueuedTurn,
  owner: Owner,
  messages: ReadonlyMap<number, Message>,
  secret?: SecretContent,
): { readonly turn: WaitingTurn; readonly unread: readonly QueuedMessage[] } {
  const { first, statusBefore, unread } = body as unknown as Body;
  const read = (brought: Brought): QueuedMessage => {
    const message = messages.get(brought.seq);
    if (!message) throw new Error(`The log has no message ${brought.seq}, which a queued turn refers to`);
    return { seq: brought.seq, message, request: withOwner(brought.request, owner) };
  };
  const begins = first?.sealed === undefined ? first && read(first) : opened(first, secret ?? UNREADABLE, owner);
  const turn: WaitingTurn = { first: begins, statusBefore, priority, arrival, deadline };
  return { turn, unread: unread.map(read) };
}

function opened({ seq, request, sealed }: Brought, { message, metadata }: SecretContent, owner: Owner): QueuedMessage {
  return { seq, message, request: withOwner({ ...request, metadata }, owner), isSecret: true, sealed };
}

/** A request as it was kept, with the caller that it came from: the owner of the task, or a member of its context. */
export function withOwner(request: Omit<TurnRequest, 'owner'>, owner: Owner): TurnRequest {
  const { member } = request;
  return { ...request, owner: member === undefined ? owner : { ...owner, subject: member } };
}

function broughtOf({ seq, request: brought, isSecret, sealed }: QueuedMessage): Brought {
  const { owner: _, ...request } = brought;
  // A secret's metadata may be secret too.
  return isSecret ? { seq, request: { ...request, metadata: {} }, sealed } : { seq, request };
}

/** The secret that a queued turn begins with, as it is encrypted. */
export function sealedOf({ body }: QueuedTurn): string | undefined {
  return (body as unknown as Body).first?.sealed;
}
