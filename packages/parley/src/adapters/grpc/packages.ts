import type * as GrpcPackage from '@grpc/grpc-js';

export type Grpc = typeof GrpcPackage;

/** Not written where they are imported, so that bundlers leave them alone. */
const MESSAGES = '@bufbuild/protobuf';
const GRPC = '@grpc/grpc-js';

/** Loads the packages of gRPC; rejects with a sentence that says what to install. */
export async function requireGrpc(): Promise<Grpc> {
  try {
    await import(/* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ MESSAGES);
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ GRPC);
  } catch (cause) {
    throw new Error('gRPC needs two more packages: npm install @grpc/grpc-js @bufbuild/protobuf', { cause });
  }
}
