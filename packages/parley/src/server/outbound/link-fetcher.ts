import type { FetchLink } from '../../agent/files.ts';
import { TaskFailure } from '../../agent/outcomes.ts';
import type { OutboundGuard } from './guard.ts';
import { OutboundError } from './outbound-error.ts';

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
