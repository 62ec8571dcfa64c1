import type { ServerBinding } from '../binding.ts';
import { JSON_RPC } from './name.ts';
import { JsonRpcBinding } from './server.ts';

/** Posted to an agent's address itself. */
export const jsonRpcBinding: ServerBinding = {
  protocolBinding: JSON_RPC,
  path: '',
  methods: ['POST'],
  serve: (options) => new JsonRpcBinding(options),
};
