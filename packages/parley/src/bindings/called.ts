import type { ClientBinding } from './binding.ts';
import { jsonRpcCaller } from './jsonrpc/client.ts';
import { JSON_RPC } from './jsonrpc/name.ts';
import { restCaller } from './rest/client.ts';
import { HTTP_JSON } from './rest/name.ts';

/** The bindings that every client has: the other half of `served.ts`, apart from it so that clients load no server. */
export const CALLED_BINDINGS: readonly ClientBinding[] = [
  { protocolBinding: JSON_RPC, open: jsonRpcCaller },
  { protocolBinding: HTTP_JSON, open: restCaller },
];
