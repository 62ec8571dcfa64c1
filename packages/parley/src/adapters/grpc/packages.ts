import type * as GrpcPackage from '@grpc/grpc-js';

export type Grpc = typeof GrpcPackage;

/** Loads the packages of gRPC; rejects with a sentence that says what to install. */
export async function requireGrpc(): Promise<Grpc> {
  try {
    await import('@bufbuild/protobuf');
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ '@grpc/grpc-js');
  } catch (cause) {
    throw new Error('gRPC needs two more packages: npm install @grpc/grpc-js @bufbuild/protobuf', { cause });
  }
}
