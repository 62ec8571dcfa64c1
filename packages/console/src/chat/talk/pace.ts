/** Time that the page may work on events at a stretch; then whatever else waits has its turn. */
const STRETCH_MS = 8;

/** Lets the browser do other things now and then in a loop over events. */
export class Pace {
  #begun = performance.now();

  /** True where the loop has worked long enough: await `rest()`. */
  get isDue(): boolean {
    return performance.now() - this.#begun > STRETCH_MS;
  }

  async rest(): Promise<void> {
    await nextTask();
    this.#begun = performance.now();
  }
}

/** A task of its own in the event loop, without the delay that timers have. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
