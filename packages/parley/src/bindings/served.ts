import type { ServerBinding } from './binding.ts';
import type { ExchangeResponse } from './exchange.ts';
import { jsonRpcBinding } from './jsonrpc/binding.ts';
import { restBinding } from './rest/binding.ts';

/**
 * The bindings that every server has, in the order in which cards name them. With `called.ts`, the half of clients, this is
 * the one place that lists them.
 */
export const SERVED_BINDINGS: readonly ServerBinding<ExchangeResponse>[] = [jsonRpcBinding, restBinding];
