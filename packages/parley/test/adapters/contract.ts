import { describe } from 'vitest';
import { bodiesContract } from './contract/bodies.ts';
import { errorsContract } from './contract/errors.ts';
import { mountingContract } from './contract/mounting.ts';
import { servingContract } from './contract/serving.ts';
import { streamsContract } from './contract/streams.ts';
import type { Host } from './support/host.ts';

/** What holds on every way of putting a server on the network. A host is one entry; see `hosts/`. */
export function adapterContract(host: Host): void {
  describe(`a server on ${host.name}`, () => {
    servingContract(host);
    streamsContract(host);
    errorsContract(host);
    bodiesContract(host);
    mountingContract(host);
  });
}
