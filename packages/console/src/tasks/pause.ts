/** Waits, and then until somebody can see the page. Rejects when the signal is aborted. */
export async function pauseWhileVisible(milliseconds: number, signal: AbortSignal): Promise<void> {
  await untilEvent(signal, (done) => {
    const timer = setTimeout(done, milliseconds);
    return () => clearTimeout(timer);
  });
  while (document.visibilityState === 'hidden') {
    await untilEvent(signal, (done) => {
      document.addEventListener('visibilitychange', done);
      return () => document.removeEventListener('visibilitychange', done);
    });
  }
}

function untilEvent(signal: AbortSignal, listen: (done: () => void) => () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      stop();
      reject(signal.reason);
    };
    const stop = listen(() => {
      stop();
      signal.removeEventListener('abort', leave);
      resolve();
    });
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}
