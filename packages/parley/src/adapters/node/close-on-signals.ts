/** Something to close when the process gets a signal to end: an `A2AServer`, or anything like it. */
export interface Closable {
  close(): Promise<void>;
}

export interface CloseOnSignalsOptions {
  /** Called with an error of `close`; the process then exits with 1. Default: prints it. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The signals that ask a process to end, with their numbers. */
const SIGNALS = { SIGINT: 2, SIGTERM: 15 } as const;

/** Under npm one signal may come twice: to the whole group of processes, and from npm, which hands it on. */
const ECHO_MILLISECONDS = 500;

/**
 * Closes a server on SIGTERM and SIGINT and ends the process with 0; a second signal ends it at once, with 128 + its number, as
 * shells have it. Returns a function that takes the listeners away.
 *
 * @example
 * await server.listen({ port: 4000 });
 * closeOnSignals(server);
 */
export function closeOnSignals(server: Closable, { onError = console.error }: CloseOnSignalsOptions = {}): () => void {
  const echo = process.env.npm_lifecycle_event === undefined ? 0 : ECHO_MILLISECONDS;
  let closingSince: number | undefined;
  const close = async () => {
    try {
      await server.close();
    } catch (error) {
      onError(error);
      process.exit(1);
    }
    process.exit(0);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (closingSince === undefined) {
      closingSince = performance.now();
      void close();
    } else if (performance.now() - closingSince >= echo) {
      process.exit(128 + SIGNALS[signal as keyof typeof SIGNALS]);
    }
  };
  const names = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[];
  for (const name of names) process.on(name, onSignal);
  return () => {
    for (const name of names) process.off(name, onSignal);
  };
}
