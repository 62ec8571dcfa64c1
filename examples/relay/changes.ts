/** Tells whoever waits that something is different. */
export class Changes {
  #next = Promise.withResolvers<void>();

  announce(): void {
    const now = this.#next;
    this.#next = Promise.withResolvers();
    now.resolve();
  }

  /** Resolves with the next change, rejects when it is no longer wanted. */
  next(signal: AbortSignal): Promise<void> {
    const change = this.#next.promise;
    return new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason);
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
      void change.then(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
    });
  }
}
