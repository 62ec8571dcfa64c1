import type { ServerBinding } from '../binding.ts';
import type { ExchangeResponse } from '../exchange.ts';
import { HTTP_JSON } from './name.ts';
import { RestBinding } from './server.ts';

/** Everything below an agent's address that no other binding serves. */
export const restBinding: ServerBinding<ExchangeResponse> = {
  protocolBinding: HTTP_JSON,
  path: '',
  isTree: true,
  serve: (options) => new RestBinding(options),
};
