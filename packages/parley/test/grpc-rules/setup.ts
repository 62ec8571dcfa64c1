import { beforeEach } from 'vitest';
import { rpcOverGrpc } from '../support/grpc/rpc-over-grpc.ts';
import { carryBy } from '../support/http/carrier.ts';
import { OF_HTTP } from './of-http.ts';

carryBy(rpcOverGrpc);

beforeEach(({ task, skip }) => {
  const found = OF_HTTP.find(({ titles }) => titles.some((title) => task.name.startsWith(title)));
  if (found) skip(found.reason);
});
