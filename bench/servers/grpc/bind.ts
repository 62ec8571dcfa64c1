import { type Server, ServerCredentials } from '@grpc/grpc-js';

/** Resolves with the port. */
export function bindServer(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    );
  });
}
