import type { ClientBinding } from './binding.ts';
import { jsonRpc } from './jsonrpc/called.ts';
import { plainHttpJson } from './rest/called.ts';

/** The bindings that every client has: the other half of `served.ts`, apart from it so that clients load no server. */
export const CALLED_BINDINGS: readonly ClientBinding[] = [jsonRpc, plainHttpJson];
