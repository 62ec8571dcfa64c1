import type { LogFacet, TaskHead } from '../../../engine/ports.ts';
import { lineOf } from '../../../model/extensions/summary.ts';
import type { Message, Part } from '../../../model/task.ts';
import type { AgentTransform } from '../../operations/transforms.ts';

/** The place of a task's first message: its creation is 1. */
const FIRST_MESSAGE_SEQ = 2;
/** Characters of the message that are looked at. */
const MOST_CHARACTERS = 1000;
/** Tasks whose words are remembered: those of a few windows that look at lists. */
const MOST_KNOWN = 5000;
/** Messages that are read at the same time, so that a list does not take all connections to a database. */
const AT_ONCE = 4;

export interface FirstWordsOptions {
  readonly store: Pick<LogFacet, 'read'>;
  /** Changes what is shown of an agent's tasks; see `transform` of interceptors. */
  readonly transformOf: (agent: string) => AgentTransform | undefined;
}

/** The beginning of the messages that tasks began with, for lists. It never changes, so it is read once. */
export class FirstWords {
  readonly #options: FirstWordsOptions;
  /** By the id of the task; the one that was asked for last is the last. */
  readonly #known = new Map<string, string>();

  constructor(options: FirstWordsOptions) {
    this.#options = options;
  }

  /** The words of these tasks, in their order; empty if there are none. */
  async of(heads: readonly TaskHead[]): Promise<readonly string[]> {
    const words: string[] = [];
    for (let from = 0; from < heads.length; from += AT_ONCE) {
      words.push(...(await Promise.all(heads.slice(from, from + AT_ONCE).map((head) => this.#wordsOf(head)))));
    }
    return words;
  }

  async #wordsOf(head: TaskHead): Promise<string> {
    const known = this.#known.get(head.id);
    this.#known.delete(head.id);
    const words = known ?? (await this.#read(head));
    this.#known.set(head.id, words);
    if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.keys().next().value ?? '');
    return words;
  }

  async #read(head: TaskHead): Promise<string> {
    const { store, transformOf } = this.#options;
    const [event] = await store.read(head.id, FIRST_MESSAGE_SEQ - 1, { events: 1, bytes: 1 });
    if (event?.kind !== 'message' || event.seq !== FIRST_MESSAGE_SEQ) return '';
    const message = shown(event.message, head, transformOf(head.agent));
    return message === undefined ? '' : lineOf(textOf(message.parts));
  }
}

function shown(message: Message, { id, contextId }: TaskHead, transform: AgentTransform | undefined) {
  if (!transform) return message;
  try {
    const event = transform({ kind: 'message', message }, { taskId: id, contextId, seq: FIRST_MESSAGE_SEQ });
    return event?.kind === 'message' ? event.message : undefined;
  } catch {
    // A transform that fails shows nothing; the task itself tells of it.
    return undefined;
  }
}

/** Texts as they are, and what is no text by its name or kind. */
function textOf(parts: readonly Part[]): string {
  let text = '';
  for (const part of parts) {
    text += `${part.kind === 'text' ? part.text.slice(0, MOST_CHARACTERS) : `[${nameOf(part)}]`} `;
    if (text.length > MOST_CHARACTERS) break;
  }
  return text;
}

function nameOf(part: Exclude<Part, { readonly kind: 'text' }>): string {
  return (part.filename ?? part.mediaType ?? part.kind).slice(0, MOST_CHARACTERS);
}
