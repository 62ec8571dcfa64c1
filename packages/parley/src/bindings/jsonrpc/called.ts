import type { ClientBinding } from '../binding.ts';
import { jsonRpcCaller } from './client.ts';
import { JSON_RPC } from './name.ts';

/** JSON-RPC as clients speak it: the binding that every client has. */
export const jsonRpc: ClientBinding = { protocolBinding: JSON_RPC, open: jsonRpcCaller };
