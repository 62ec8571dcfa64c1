import type { BusReply } from '../../engine/ports.ts';

/** The response to a command as it travels: a value, the reason of a failure, or that the node is leaving. */
interface Response {
  readonly value?: unknown;
  readonly failure?: string;
  readonly isGone?: boolean;
}

export const GONE_TEXT = write({ isGone: true });

export function writeValue(value: unknown): string {
  return write({ value });
}

export function writeFailure(error: unknown): string {
  return write({ failure: error instanceof Error ? error.message : String(error) });
}

/** Throws where the handler of the other node has failed, and for a text that is no response. */
export function readResponse(text: string): BusReply {
  const { value, failure, isGone } = JSON.parse(text) as Response;
  if (failure !== undefined) throw new Error(`The other node could not carry out the command: ${failure}`);
  return isGone ? { kind: 'gone' } : { kind: 'answered', value };
}

function write(response: Response): string {
  return JSON.stringify(response);
}
