/** The way of requests to a server, which can be cut: what is under way then fails as if the network had. */
export class Line {
  readonly #answer: (request: Request) => Promise<Response>;
  readonly #open = new Set<(error: Error) => void>();

  constructor(answer: (request: Request) => Promise<Response>) {
    this.#answer = answer;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const { promise: broken, reject } = Promise.withResolvers<never>();
    broken.catch(() => {});
    this.#open.add(reject);
    try {
      return this.#carried(await Promise.race([this.#answer(request), broken]));
    } finally {
      this.#open.delete(reject);
    }
  };

  cut(): void {
    for (const fail of [...this.#open]) fail(connectionLost());
    this.#open.clear();
  }

  #carried(response: Response): Response {
    if (!response.body) return response;
    const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
    let fail = (_error: Error) => {};
    const done = () => void this.#open.delete(fail);
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          fail = (error) => {
            controller.error(error);
            reader.cancel(error).catch(() => {});
          };
          this.#open.add(fail);
        },
        async pull(controller) {
          const step = await reader.read();
          if (!step.done) {
            controller.enqueue(step.value);
            return;
          }
          done();
          controller.close();
        },
        cancel(reason) {
          done();
          return reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, response);
  }
}

/** The error that `fetch` throws where a connection is lost. */
export function connectionLost(): TypeError {
  return new TypeError('fetch failed', { cause: new Error('The connection was cut') });
}
