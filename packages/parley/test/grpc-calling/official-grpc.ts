import { LegacyA2AService, legacyGrpcService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import type { DefaultRequestHandler } from '@a2a-js/sdk/server';
import { A2AService, grpcService, UserBuilder } from '@a2a-js/sdk/server/grpc';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { onTestFinished } from 'vitest';

/** The official SDK's handler over gRPC, in both versions, on a port of its own; returns the address as cards have it. */
export async function startOfficialGrpc(requestHandler: DefaultRequestHandler): Promise<string> {
  const userBuilder = UserBuilder.noAuthentication;
  const server = new Server();
  server.addService(A2AService, grpcService({ requestHandler, userBuilder }));
  server.addService(LegacyA2AService, legacyGrpcService({ requestHandler, userBuilder }));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  onTestFinished(() => server.forceShutdown());
  return `127.0.0.1:${port}`;
}
