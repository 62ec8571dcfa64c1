/** The stream of HTTP/2 beneath a call, as far as its end goes. */
export interface ClosableStream {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  removeAllListeners(event: 'data' | 'end'): unknown;
  close(code: number): void;
}

/** Calls back once a reader has taken nothing for as long as it may, unless the returned function is called first. */
export type StallTimer = (callback: () => void) => () => void;

/** RST_STREAM with this code closes a stream at once, whatever is still to be written. */
const CANCEL = 8;

/**
 * Closes a stream whose response is over if it is still open after its time: a client that does not read the last bytes, or never
 * ends its request, would keep it for as long as its connection lives. Node keeps streams long after they have closed; what grpc-js
 * listens to them with leads to all of the call, so it is taken off.
 */
export function closeInTime(stream: ClosableStream, whenStalled: StallTimer): void {
  if (stream.destroyed) return;
  const stopTimer = whenStalled(() => stream.close(CANCEL));
  stream.once('close', () => {
    stopTimer();
    stream.removeAllListeners('data');
    stream.removeAllListeners('end');
  });
}
