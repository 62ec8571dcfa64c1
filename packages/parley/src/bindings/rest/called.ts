import type { ClientBinding } from '../binding.ts';
import { restCaller } from './client.ts';
import { HTTP_JSON } from './name.ts';

/** HTTP+JSON as every client speaks it: files of 0.3 are written by `fileEncoding`, not as a server is seen to write them. */
export const plainHttpJson: ClientBinding = { protocolBinding: HTTP_JSON, open: restCaller };
