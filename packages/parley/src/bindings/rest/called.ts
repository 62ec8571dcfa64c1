import type { ClientBinding } from '../binding.ts';
import { restCaller } from './client.ts';
import { HTTP_JSON } from './name.ts';

/** HTTP+JSON as every client speaks it, in 1.0. */
export const plainHttpJson: ClientBinding = { protocolBinding: HTTP_JSON, versions: ['1.0'], open: restCaller };
