import type { FetchLink } from '../../agent/files.ts';
import { TaskFailure } from '../../agent/outcomes.ts';
import { OutboundGuard } from './guard.ts';
import { OutboundError } from './outbound-error.ts';
import type { OutboundOptions } from './settings.ts';

/** The guard by the server's setting `push`, which opens addresses for webhooks and files alike. */
export function outboundGuardOf(push: boolean | OutboundOptions | undefined): OutboundGuard {
  const { allow, schemes, ports, resolve, ca } = typeof push === 'object' ? push : {};
  return new OutboundGuard({ allow, schemes, ports, resolve, ca }, 'push.');
}

/** Fetches the files that callers link to, behind the guard. The caller gave the address and is told what is wrong with it. */
export function linkFetcher(guard: OutboundGuard): FetchLink {
  return async ({ url, maxBytes, timeout, signal }) => {
    try {
      const { status, headers, body } = await guard.get(url, { maxBytes, timeout, signal });
      if (status !== 200) throw new TaskFailure(`The address of the file responds with ${status}`);
      return { bytes: body, mediaType: headers['content-type'] };
    } catch (error) {
      if (error instanceof OutboundError && error.code !== 'ABORTED') {
        throw new TaskFailure(`The address of the file ${error.message}`, { cause: error });
      }
      throw error;
    }
  };
}
