import { BindingTable } from '../../../bindings/binding-table.ts';
import { type MountedTraffic, trafficOf } from '../../limits/mounted-traffic.ts';
import { openedRates } from '../../limits/rates/shared-rates.ts';
import { Tenants } from '../../operations/tenants.ts';
import type { A2AServerOptions } from '../../options.ts';
import { type ResolvedMount, resolveMounts } from '../../routing/mounts.ts';
import { belowPrefix } from '../../routing/paths.ts';
import { Router } from '../../routing/router.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { PublishedKeys } from '../../well-known/published-keys.ts';
import { bindingOptions } from '../binding-options.ts';
import type { Opening } from '../opening.ts';
import type { Security } from '../security.ts';
import type { Basis } from './basis.ts';
import type { WorkParts } from './work-parts.ts';

/** The addresses of a server, with their dialects and limits. */
export interface AddressParts {
  readonly mounts: readonly ResolvedMount[];
  readonly router: Router;
  readonly bindings: BindingTable;
  readonly tenants: Tenants;
  readonly traffic: MountedTraffic;
}

interface Surroundings extends Basis, Pick<WorkParts, 'keptIn'> {
  readonly security: Security;
  readonly opening: Opening;
  readonly publishedKeys: PublishedKeys;
  readonly telemetry: Telemetry;
}

export function addressPartsOf(options: A2AServerOptions, parts: Surroundings): AddressParts {
  const { agents, basePath, limits, clock, log, dialects, security, publishedKeys, telemetry } = parts;
  const mounts = resolveMounts(options.mounts, { basePath, agents, dialects, limits: options.limits });
  const rates = openedRates(parts.keptIn.rates, () => parts.opening.whenOpen());
  const bindings = new BindingTable({ ...bindingOptions(options, parts), dialects }, options.bindings);
  return {
    mounts,
    traffic: trafficOf(options, { mounts, limits, rates, clock, log }),
    router: new Router({
      basePath,
      mounts,
      dialects,
      describesResources: security.resources?.isOffered,
      publishesKeys: !publishedKeys.isEmpty,
      servesMetrics: telemetry.servesMetrics,
      servesConsole: parts.console !== undefined,
    }),
    bindings,
    tenants: new Tenants(options.tenants, [
      ...bindings.all.map(({ path }) => firstSegment(path)),
      ...mounts.map(({ path }) => firstSegment(belowPrefix(path, basePath) ?? '')),
    ]),
  };
}

function firstSegment(path: string): string {
  return path.split('/')[1] ?? '';
}
