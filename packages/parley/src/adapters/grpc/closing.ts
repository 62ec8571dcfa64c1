import { LONGEST_TIMER } from '../../model/basics/timers.ts';

/** The stream of HTTP/2 beneath a call, as far as its end goes. */
export interface ClosableStream {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  close(code: number): void;
}

/** RST_STREAM with this code closes a stream at once, whatever is still to be written. */
const CANCEL = 8;

/**
 * Closes a stream whose response is over if it is still open after its time: a client that does not read the last bytes, or never
 * ends its request, would keep it for as long as its connection lives.
 */
export function closeInTime(stream: ClosableStream, milliseconds: number): void {
  if (stream.destroyed || milliseconds === Number.POSITIVE_INFINITY) return;
  const timer = setTimeout(() => stream.close(CANCEL), Math.min(milliseconds, LONGEST_TIMER));
  timer.unref();
  stream.once('close', () => clearTimeout(timer));
}
