import { eventually } from '../support/eventually.ts';
import type { ServerReport } from './protocol.ts';
import type { MeasuredServer } from './server.ts';

export const MEGABYTE = 1024 * 1024;

/** All that must be the same again when nobody is there any more; an immediate is gone in the next turn by itself. */
export function handlesOf({ resources, descriptors, load }: ServerReport) {
  const { Immediate: _, ...lasting } = resources;
  return { resources: lasting, descriptors, load };
}

/** How things are when the connections of all who have read are gone. */
export async function whenAlone(server: MeasuredServer): Promise<ServerReport> {
  await eventually(async () => (await server.report()).resources).not.toHaveProperty('TCPSocketWrap');
  return server.collected();
}
