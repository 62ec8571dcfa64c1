import { EXIT } from '../exit-codes.ts';
import { type Surroundings, withoutEcho } from '../surroundings.ts';

/** Calls back at Ctrl-C and at a signal to end; a second one leaves at once. Returns a function that ends this. */
export function onStop({ onInterrupt, leave, env }: Surroundings, stop: () => void): () => void {
  let isStopping = false;
  const stopOr = (code: number) => () => {
    if (isStopping) leave(code);
    isStopping = true;
    stop();
  };
  const onTerminate = withoutEcho(env, stopOr(EXIT.terminated));
  const release = onInterrupt(stopOr(EXIT.interrupted));
  process.on('SIGTERM', onTerminate);
  return () => {
    release();
    process.off('SIGTERM', onTerminate);
  };
}

/** Waits for Ctrl-C, a signal to end, or the end of the watching process. */
export function stopped(surroundings: Surroundings): Promise<void> {
  return new Promise((resolve) => {
    onStop(surroundings, resolve);
    process.on('disconnect', () => resolve());
  });
}
