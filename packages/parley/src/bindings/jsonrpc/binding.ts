import type { ServerBinding } from '../binding.ts';
import type { ExchangeResponse } from '../exchange.ts';
import { JSON_RPC } from './name.ts';
import { JsonRpcBinding } from './server.ts';

/** Posted to an agent's address itself. */
export const jsonRpcBinding: ServerBinding<ExchangeResponse> = {
  protocolBinding: JSON_RPC,
  path: '',
  methods: ['POST'],
  serve: (options) => new JsonRpcBinding(options),
};
