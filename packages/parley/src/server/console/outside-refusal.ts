import { A2AError, quoted } from '../../model/errors/errors.ts';
import { OutboundError } from '../outbound/outbound-error.ts';

/** Turns the refusal of an address that an operator gave into an error for the operator; other errors stay as they are. */
export function outsideRefusal(error: unknown, url: string): unknown {
  if (!(error instanceof OutboundError)) return error;
  const text = `The address "${quoted(url)}" ${error.message}`;
  if (error.code === 'INVALID' || error.code === 'REFUSED') return new A2AError('INVALID_PARAMS', text);
  return new A2AError(error.code === 'TIMEOUT' ? 'TIMEOUT' : 'UNREACHABLE', text, { cause: error });
}
