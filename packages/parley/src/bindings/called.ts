import type { ClientBinding } from './binding.ts';
import { jsonRpc } from './jsonrpc/called.ts';
import { httpJson } from './rest/called.ts';

/** The bindings of the client of `parley-a2a`: the other half of `served.ts`, apart from it so that clients load no server. */
export const CALLED_BINDINGS: readonly ClientBinding[] = [jsonRpc, httpJson];
