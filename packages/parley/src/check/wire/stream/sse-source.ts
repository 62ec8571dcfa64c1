import type { CarriedResponse } from '../carrier.ts';
import { parseJson } from '../json.ts';
import type { EventSource, StreamListener } from './event-source.ts';

const BLANK_LINE = /\r\n\r\n|\n\n|\r\r/;

/** The server-sent events of an HTTP response. */
export class SseSource implements EventSource {
  readonly #response: CarriedResponse;
  readonly #decoder = new TextDecoder();
  #pending = '';
  #isLeft = false;

  constructor(response: CarriedResponse) {
    this.#response = response;
  }

  head() {
    const { status, headers } = this.#response;
    return { status, headers };
  }

  listen(listener: StreamListener): void {
    void this.#readAll(listener);
  }

  destroy(): void {
    this.#isLeft = true;
    this.#response.close();
  }

  async #readAll(listener: StreamListener): Promise<void> {
    try {
      for await (const chunk of this.#response.body) {
        if (!this.#isLeft) this.#take(chunk, listener);
        if (this.#isLeft) break;
      }
      listener.end('ended');
    } catch {
      listener.end('cut');
    }
  }

  #take(chunk: Uint8Array, listener: StreamListener): void {
    const text = this.#decoder.decode(chunk, { stream: true });
    this.#pending += text;
    for (let gap = BLANK_LINE.exec(this.#pending); gap; gap = BLANK_LINE.exec(this.#pending)) {
      read(this.#pending.slice(0, gap.index), listener);
      this.#pending = this.#pending.slice(gap.index + gap[0].length);
    }
    listener.took(text, chunk.length);
  }
}

function read(block: string, listener: StreamListener): void {
  const all = block.split(/\r\n|\n|\r/);
  const lines = all.filter((line) => line !== '' && !line.startsWith(':'));
  listener.comments(all.filter((line) => line.startsWith(':')).length);
  const valuesOf = (field: string) =>
    lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).replace(/^ /, ''));
  const data = valuesOf('data');
  // A frame without data, such as a bare `retry:`, is no event.
  if (data.length === 0) return;
  const text = data.join('\n');
  listener.frame({
    lines,
    id: valuesOf('id').at(-1),
    event: valuesOf('event').at(-1),
    data: text,
    json: parseJson(text),
  });
}
