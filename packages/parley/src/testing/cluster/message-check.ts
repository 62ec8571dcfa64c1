import type { FindingList } from './findings.ts';
import type { AcknowledgedEntry, SentEntry, TaskEntry } from './log-entry.ts';

/** Checks messages against tasks: every acknowledged one is in its task, once, and in no other. */
export class MessageCheck {
  readonly #findings: FindingList;
  /** The task of a message, and the client that was told so; '' where a look at the task showed it. */
  readonly #places = new Map<string, { readonly taskId: string; readonly client: string }>();
  readonly #expected = new Map<string, string>();
  readonly #found = new Map<string, Set<string>>();

  constructor(findings: FindingList) {
    this.#findings = findings;
  }

  send({ messageId, expects }: SentEntry): void {
    if (expects !== undefined) this.#expected.set(messageId, expects);
  }

  acknowledge({ messageId, taskId, client }: AcknowledgedEntry): void {
    this.#place(messageId, taskId, client);
  }

  /** `isOurs`: messages that this check is about; others are left to another pass. */
  find({ taskId, messageIds, state, text }: TaskEntry, isOurs: (messageId: string) => boolean): void {
    const ours = messageIds.filter(isOurs);
    const known = new Set(ours);
    if (known.size < ours.length) {
      this.#findings.add({ fault: 'message-doubled', text: `Task ${taskId} has a message twice`, taskId });
    }
    for (const messageId of known) {
      this.#place(messageId, taskId, '');
      const set = this.#found.get(messageId) ?? new Set();
      this.#found.set(messageId, set.add(taskId));
      const expected = this.#expected.get(messageId);
      if (expected === undefined || state !== 'completed' || expected === text) continue;
      const sentence = `Task ${taskId} is completed with another text than message ${messageId} asks for`;
      this.#findings.add({ fault: 'text-differs', text: sentence, taskId });
    }
  }

  /** `wasFound` tells whether a client looked at a task and found it. */
  finish(wasFound: (taskId: string) => boolean): void {
    for (const [messageId, { taskId, client }] of this.#places) {
      if (client === '' || !wasFound(taskId) || this.#found.get(messageId)?.has(taskId)) continue;
      const text = `Task ${taskId} lacks message ${messageId}, which was acknowledged to client ${client}`;
      this.#findings.add({ fault: 'message-lost', text, taskId, client });
    }
  }

  #place(messageId: string, taskId: string, client: string): void {
    const before = this.#places.get(messageId);
    // The client that was told first is named.
    if (!before || (before.client === '' && before.taskId === taskId)) this.#places.set(messageId, { taskId, client });
    if (!before || before.taskId === taskId) return;
    const text = `Message ${messageId} is in task ${before.taskId} and in task ${taskId}`;
    this.#findings.add({ fault: 'message-doubled', text, taskId, ...(client !== '' && { client }) });
  }
}
