import { A2AService, grpcService, UserBuilder } from '@a2a-js/sdk/server/grpc';
import { Server } from '@grpc/grpc-js';
import { officialHandler } from '../official.ts';
import { bindServer } from './bind.ts';

/** The official SDK's handler over gRPC, with its in-memory store. */
export async function startOfficialGrpc(): Promise<number> {
  const requestHandler = await officialHandler(0);
  const server = new Server();
  server.addService(A2AService, grpcService({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  return bindServer(server);
}
