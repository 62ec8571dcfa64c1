import type { ExchangeRequest } from '../../exchange.ts';
import type { Rpc } from '../services.ts';

/** A call of gRPC as an exchange: its metadata are the headers, its message is the body. */
export interface GrpcRequest extends ExchangeRequest {
  readonly rpc: Rpc;
}
