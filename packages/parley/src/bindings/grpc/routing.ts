import { decodeSegment } from '../http/path-segment.ts';

/** Begins the routing string of interfaces that are not those of the default agent: `agents/NAME`, perhaps with `/TENANT`. */
const AGENTS = 'agents/';

/** The agent and the tenant that a request of 1.0 names by the routing string of its interface (reference: v1-agent-card §3). */
interface GrpcTarget {
  /** Undefined for the default agent. */
  readonly agent: string | undefined;
  readonly tenant: string;
}

export function grpcTarget(tenant: string): GrpcTarget {
  if (!tenant.startsWith(AGENTS)) return { agent: undefined, tenant };
  const [agent = '', ...rest] = tenant.slice(AGENTS.length).split('/');
  return { agent: decodeSegment(agent), tenant: rest.join('/') };
}

/** The other way round, for cards; undefined where nothing need be named. */
export function grpcRouting(agent: string | undefined, tenant: string | undefined): string | undefined {
  if (agent === undefined) return tenant;
  const place = `${AGENTS}${encodeURIComponent(agent)}`;
  return tenant === undefined ? place : `${place}/${tenant}`;
}
