import type { Delta, Move, ToolCallDelta } from './moves.ts';

/** Where a finished call of a tool stands in a message. */
interface WholeCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { name: string; arguments: string };
}

/** The state of one completion: what was sent of it, and how the rest has to look. */
export class Completion {
  readonly #id: string;
  readonly #model: string;
  #usage: { prompt: number; completion: number };
  #finish: string | undefined;
  #text: string | undefined;
  readonly #calls: WholeCall[] = [];

  constructor(number: number, model: string, messages: number) {
    this.#id = `chatcmpl-${number}`;
    this.#model = model;
    this.#usage = { prompt: messages, completion: 0 };
  }

  /** The frame of a move, or nothing where the move only changes what comes later. */
  frameOf(move: Move): string {
    if (typeof move === 'string') return this.#deltaFrame({ content: move });
    if ('delta' in move) return this.#deltaFrame(move.delta);
    if ('raw' in move) return move.raw;
    if ('finish' in move) this.#finish = move.finish;
    if ('usage' in move) this.#usage = { ...move.usage };
    return '';
  }

  /** The last frames of a stream. */
  tail(withUsage: boolean): string {
    const finish = frame(this.#chunk([{ index: 0, delta: {}, finish_reason: this.#finishReason }]));
    const usage = withUsage ? frame({ ...this.#chunk([]), usage: this.#usageCounts }) : '';
    return `${finish}${usage}data: [DONE]\n\n`;
  }

  /** The response to a request without `stream`. */
  whole(): unknown {
    const calls = this.#calls.length > 0 && { tool_calls: this.#calls };
    const message = { role: 'assistant', content: this.#text ?? null, ...calls };
    const choices = [{ index: 0, message, finish_reason: this.#finishReason }];
    return { ...this.#chunk(choices), object: 'chat.completion', usage: this.#usageCounts };
  }

  get #finishReason(): string {
    return this.#finish ?? (this.#calls.length > 0 ? 'tool_calls' : 'stop');
  }

  get #usageCounts() {
    const { prompt, completion } = this.#usage;
    return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  }

  #deltaFrame(delta: Delta): string {
    this.#usage.completion += 1;
    if (delta.content !== undefined) this.#text = (this.#text ?? '') + delta.content;
    for (const piece of delta.tool_calls ?? []) this.#addToCall(piece);
    return frame(this.#chunk([{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }]));
  }

  #addToCall({ index, id = '', function: { name = '', arguments: text = '' } }: ToolCallDelta): void {
    const begun = this.#calls[index];
    if (begun) begun.function.arguments += text;
    else this.#calls[index] = { id, type: 'function', function: { name, arguments: text } };
  }

  #chunk(choices: readonly unknown[]) {
    return { id: this.#id, object: 'chat.completion.chunk', created: 1_700_000_000, model: this.#model, choices };
  }
}

function frame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
