import type { ImportGrpc } from './load.ts';

/** The modules that speak gRPC, for the command line. Servers, which are bundled, reach none of it. */
export const importGrpc: ImportGrpc = async () => {
  const [{ GrpcTransport }, grpc] = await Promise.all([
    import('./transport/grpc-transport.ts'),
    import('@grpc/grpc-js'),
  ]);
  return (limits) => new GrpcTransport(grpc, limits);
};
