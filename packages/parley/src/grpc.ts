export { grpc } from './bindings/grpc/calling/binding.ts';
export type { GrpcClientOptions, GrpcTls } from './bindings/grpc/calling/options.ts';
