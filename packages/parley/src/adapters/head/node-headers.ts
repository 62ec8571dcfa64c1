import type { IncomingMessage } from 'node:http';
import { oversizedHeaders, unreadableRequest } from '../../bindings/http/http-refusals.ts';
import type { A2AError } from '../../model/errors/errors.ts';

/**
 * The error of a request whose headers are too many, or name two hosts; Node itself takes the first `Host` and drops the rest.
 * `needsHost`: nothing else has looked whether there is one.
 */
export function headerFault(
  { rawHeaders, httpVersion }: IncomingMessage,
  most: number,
  needsHost: boolean,
): A2AError | undefined {
  if (rawHeaders.length > most * 2)
    return oversizedHeaders(`A request may have ${most} headers, and this one has more`);
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  // HTTP/1.0 knows no such header, and HTTP/2 has another name for it.
  if (hosts === 0 && needsHost && httpVersion === '1.1') {
    return unreadableRequest('A request of HTTP/1.1 must have a Host header');
  }
  return hosts > 1 ? unreadableRequest('A request must have one Host header, and this one has more') : undefined;
}
