import type { IncomingMessage } from 'node:http';
import { oversizedHeaders, unreadableRequest } from '../../bindings/http/http-refusals.ts';
import type { A2AError } from '../../model/errors/errors.ts';

/** The error of a request whose headers are too many, or name two hosts; Node itself takes the first `Host` and drops the rest. */
export function headerFault({ rawHeaders }: IncomingMessage, most: number): A2AError | undefined {
  if (rawHeaders.length > most * 2)
    return oversizedHeaders(`A request may have ${most} headers, and this one has more`);
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1 ? unreadableRequest('A request must have one Host header, and this one has more') : undefined;
}
