/** The page's connection to its agents, which a person may cut to see how streams are resumed. */
export class LineSwitch {
  readonly #fetch: typeof fetch;
  readonly #open = new Set<(error: Error) => void>();
  readonly #listeners = new Set<() => void>();
  #isConnected = true;

  constructor(inner: typeof fetch = (input, init) => fetch(input, init)) {
    this.#fetch = inner;
  }

  readonly isConnected = (): boolean => this.#isConnected;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Everything under way fails as if the network had; so does whatever is tried until `connect`. */
  disconnect(): void {
    this.#isConnected = false;
    for (const fail of [...this.#open]) fail(disconnected());
    this.#tell();
  }

  connect(): void {
    this.#isConnected = true;
    this.#tell();
  }

  readonly fetch: typeof fetch = async (input, init) => {
    if (!this.#isConnected) throw disconnected();
    const cut = new AbortController();
    const fail = (error: Error) => cut.abort(error);
    this.#open.add(fail);
    const done = () => void this.#open.delete(fail);
    try {
      const signal = init?.signal ? AbortSignal.any([init.signal, cut.signal]) : cut.signal;
      const response = await this.#fetch(input, { ...init, signal });
      if (!response.body) {
        done();
        return response;
      }
      const { status, statusText, headers } = response;
      return new Response(carried(response.body, cut.signal, done), { status, statusText, headers });
    } catch (error) {
      done();
      throw error;
    }
  };

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The error of browsers for a connection that is lost. */
function disconnected(): TypeError {
  return new TypeError('You have disconnected this page');
}

function carried(source: ReadableStream<Uint8Array>, cut: AbortSignal, done: () => void): ReadableStream<Uint8Array> {
  const reader: ReadableStreamDefaultReader<Uint8Array> = source.getReader();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        cut.addEventListener('abort', () => {
          done();
          controller.error(cut.reason);
          reader.cancel(cut.reason).catch(() => undefined);
        });
      },
      async pull(controller) {
        try {
          const { done: isOver, value } = await reader.read();
          if (cut.aborted) return;
          if (!isOver) {
            controller.enqueue(value);
            return;
          }
          done();
          controller.close();
        } catch (error) {
          done();
          if (!cut.aborted) controller.error(error);
        }
      },
      cancel(reason) {
        done();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
