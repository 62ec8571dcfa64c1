import { createHash } from 'node:crypto';

/** Names that can be a word of a subject as they are. */
const PLAIN = /^[\w-]{1,100}$/;
/** Words that may begin every subject. */
const PREFIX = /^[\w-]+(?:\.[\w-]+)*$/;
const LONGEST_PREFIX = 100;

/** The subjects of a bus. */
export class Subjects {
  readonly loss: string;
  readonly #prefix: string;

  constructor(prefix: string) {
    if (!PREFIX.test(prefix) || prefix.length > LONGEST_PREFIX) {
      throw new Error(`A prefix of NATS subjects has letters, digits, - and _ in words between dots, not "${prefix}"`);
    }
    this.#prefix = prefix;
    this.loss = `${prefix}.loss`;
  }

  task(taskId: string): string {
    return `${this.#prefix}.task.${wordOf(taskId)}`;
  }

  commands(node: string): string {
    return `${this.#prefix}.node.${wordOf(node)}`;
  }

  /** The place of responses to a node; the last word is the id of the command. */
  responses(node: string, id: string): string {
    return `${this.#prefix}.reply.${wordOf(node)}.${id}`;
  }
}

export function lastWord(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1);
}

function wordOf(name: string): string {
  return PLAIN.test(name) ? name : `=${createHash('sha256').update(name).digest('base64url')}`;
}
