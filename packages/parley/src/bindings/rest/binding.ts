import type { ServerBinding } from '../binding.ts';
import { HTTP_JSON } from './name.ts';
import { RestBinding } from './server.ts';

/** Everything below an agent's address that no other binding serves. */
export const restBinding: ServerBinding = {
  protocolBinding: HTTP_JSON,
  path: '',
  isTree: true,
  serve: (options) => new RestBinding(options),
};
