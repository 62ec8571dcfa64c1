import type { Message } from '../../model/task.ts';

/** Anything shorter is part of other words. */
const SHORTEST = 4;
const NOT_SHOWN = '(not shown)';
/** In data, details and causes. */
const MOST_LEVELS = 8;
/** Each text is searched for each word. */
const MOST_WORDS = 256;
const MOST_CHARACTERS = 256 * 1024;

/**
 * The secrets that a task was told, so that neither logs nor journals get them from the run by accident. A task that was
 * told more than can be searched for has every text taken for a secret.
 */
export class SecretWords {
  /** Undefined if there are none, as in nearly all tasks. */
  #words: Set<string> | undefined;
  #characters = 0;
  #isTooMuch = false;

  get isEmpty(): boolean {
    return this.#words === undefined && !this.#isTooMuch;
  }

  add({ parts, metadata }: Pick<Message, 'parts' | 'metadata'>): void {
    for (const part of parts) {
      if (part.kind === 'text') this.#addText(part.text);
      else if (part.kind === 'data') this.#addFrom(part.data);
      else if (part.kind === 'bytes') this.#addText(part.bytes);
    }
    this.#addFrom(metadata);
  }

  /** Returns true if a text has one of the secrets in it, as it is or as JSON writes it. */
  areIn(text: string): boolean {
    if (this.#isTooMuch) return true;
    for (const word of this.#words ?? []) if (text.includes(word)) return true;
    return false;
  }

  hideIn(text: string): string {
    if (this.#isTooMuch) return NOT_SHOWN;
    let shown = text;
    for (const word of this.#words ?? []) shown = shown.replaceAll(word, NOT_SHOWN);
    return shown;
  }

  /** Details of a log entry without the secrets; the same object if there are none. */
  hideInDetails(details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    if (this.isEmpty) return details;
    return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, this.#hiddenSafely(value)]));
  }

  /** What an agent throws or logs may throw itself when it is read. */
  #hiddenSafely(value: unknown): unknown {
    try {
      return this.#hidden(value);
    } catch {
      return NOT_SHOWN;
    }
  }

  #hidden(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.hideIn(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === MOST_LEVELS) return NOT_SHOWN;
    if (value instanceof Error) return this.#hiddenError(value, depth);
    if (Array.isArray(value)) return value.map((item) => this.#hidden(item, depth + 1));
    const entries = Object.entries(value).map(([name, inner]) => [name, this.#hidden(inner, depth + 1)] as const);
    return entries.length === 0 ? value : Object.fromEntries(entries);
  }

  /** The same error where nothing of it is secret; otherwise its texts, without other members. */
  #hiddenError(error: Error, depth: number): Error {
    if (this.#isFree(error, new Set())) return error;
    const shownCause = this.#hidden(error.cause, depth + 1);
    const hidden = new Error(this.hideIn(error.message), shownCause === undefined ? {} : { cause: shownCause });
    hidden.name = this.hideIn(error.name);
    hidden.stack = this.hideIn(error.stack ?? '');
    return hidden;
  }

  /** True where all of a value could be searched, and nothing of it is secret. Calls nothing of it but what errors have. */
  #isFree(value: unknown, seen: Set<object>): boolean {
    if (typeof value === 'function') return false;
    if (typeof value !== 'object' || value === null) return !this.areIn(String(value));
    if (seen.has(value)) return true;
    seen.add(value);
    const isError = value instanceof Error;
    if (isError && ![value.message, value.name, value.stack ?? ''].every((text) => this.#isFree(text, seen)))
      return false;
    if (!isError && !isPlain(value)) return false;
    return Object.entries(Object.getOwnPropertyDescriptors(value)).every(([name, member]) => {
      if (isError && name === 'stack') return true;
      return 'value' in member && this.#isFree(member.value, seen);
    });
  }

  #addFrom(value: unknown, depth = 0): void {
    if (this.#isTooMuch) return;
    if (typeof value === 'string') this.#addText(value);
    if (typeof value !== 'object' || value === null) return;
    if (depth === MOST_LEVELS) this.#giveUp();
    else for (const item of Object.values(value)) this.#addFrom(item, depth + 1);
  }

  #addText(text: string): void {
    for (const word of [text, text.trim()]) {
      if (this.#isTooMuch || word.length < SHORTEST || this.#words?.has(word)) continue;
      this.#words ??= new Set();
      this.#characters += word.length;
      if (this.#characters > MOST_CHARACTERS || this.#words.size >= MOST_WORDS) {
        this.#giveUp();
        return;
      }
      this.#words.add(word);
      this.#words.add(JSON.stringify(word).slice(1, -1));
    }
  }

  #giveUp(): void {
    this.#isTooMuch = true;
    this.#words = undefined;
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
}
