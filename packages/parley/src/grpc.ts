import type * as Listening from './adapters/grpc/listen.ts';

export { grpc } from './bindings/grpc/calling/binding.ts';
export type { GrpcClientOptions, GrpcTls } from './bindings/grpc/calling/options.ts';

/**
 * The part that a server with the option `grpc` loads; programs have no use for it.
 *
 * @internal
 */
export function grpcAdapter(): Promise<typeof Listening> {
  return import('./adapters/grpc/listen.ts');
}
