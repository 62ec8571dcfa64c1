import type * as GrpcPackage from '@grpc/grpc-js';

/** The package of gRPC, which is handed to those who use it: it may not be installed. */
export type Grpc = typeof GrpcPackage;
