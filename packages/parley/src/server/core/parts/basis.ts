import type { Agent } from '../../../agent/agent.ts';
import { checkFileEncoding } from '../../../dialects/file-encoding.ts';
import { BUILT_IN_DIALECTS, DialectRegistry } from '../../../dialects/registry.ts';
import { systemClock } from '../../../engine/node/clock.ts';
import type { Retention } from '../../../engine/node/retention.ts';
import type { Clock, Logger } from '../../../engine/ports.ts';
import { type IdSource, uuidv7Source } from '../../../model/basics/uuid.ts';
import { type ResolvedCardSetting, resolveCardSetting } from '../../cards/card-setting.ts';
import { type ConsoleOptions, readConsole } from '../../console/settings.ts';
import { Interceptors } from '../../intercept/interceptors.ts';
import { failureLimitOf } from '../../limits/failures/failed-credentials.ts';
import { resolveLimits, type ServerLimits } from '../../limits/limits.ts';
import { resolveRetention } from '../../limits/retention.ts';
import { consoleLog } from '../../operator/console-log.ts';
import { InternalErrors } from '../../operator/internal-errors.ts';
import { quietLog } from '../../operator/quiet-log.ts';
import { type A2AServerOptions, namedAgents } from '../../options.ts';
import { normalPath } from '../../routing/paths.ts';
import { GrpcAddress } from '../grpc-address.ts';
import { checkGrpcOptions } from '../grpc-options.ts';

/** The basis of all parts of a server. */
export interface Basis {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly defaultAgent: string;
  readonly basePath: string;
  /** The path of an agent, by its name. */
  readonly pathOf: (name: string) => string;
  /** Names an agent of this server for the list of hops. */
  readonly hopOf: (name: string) => string;
  readonly card: ResolvedCardSetting;
  readonly limits: ServerLimits;
  readonly retention: Retention;
  readonly clock: Clock;
  readonly log: Logger;
  readonly newId: IdSource;
  readonly failures: InternalErrors;
  readonly interceptors: Interceptors;
  readonly dialects: DialectRegistry;
  readonly grpcAddress: GrpcAddress;
  /** Undefined where the console is off. */
  readonly console: ConsoleOptions | undefined;
}

/** Throws a TypeError for invalid settings. */
export function basisOf(options: A2AServerOptions): Basis {
  const agents = namedAgents(options.agents);
  const limits = resolveLimits(options.limits);
  failureLimitOf(options.limits?.failedCredentials);
  const log = options.log ? quietLog(options.log) : consoleLog;
  checkFileEncoding(options.fileEncoding);
  checkGrpcOptions(options.grpc);
  const basePath = normalPath(options.basePath ?? '/a2a');
  const newId = options.newId ?? uuidv7Source();
  return {
    agents,
    defaultAgent: chooseDefault(options.default, agents),
    basePath,
    pathOf: (name) => `${basePath}/agents/${encodeURIComponent(name)}`,
    hopOf: hopSource(newId),
    card: resolveCardSetting(options.card),
    limits,
    retention: resolveRetention(options.retention),
    clock: options.clock ?? systemClock,
    log,
    newId,
    failures: new InternalErrors(log, newId),
    interceptors: new Interceptors(),
    dialects: options.dialects ? new DialectRegistry(options.dialects) : BUILT_IN_DIALECTS,
    grpcAddress: new GrpcAddress(options.grpc?.address),
    console: readConsole(options.console),
  };
}

function chooseDefault(name: string | undefined, agents: ReadonlyMap<string, Agent>): string {
  const chosen = name ?? [...agents.keys()][0];
  if (chosen !== undefined && agents.has(chosen)) return chosen;
  throw new TypeError(`The default agent "${chosen}" is not one of: ${[...agents.keys()].join(', ')}`);
}

/** Names the server's agents among all that there are. The id is made late: Workers have no randomness before a request. */
function hopSource(newId: IdSource): (name: string) => string {
  let id: string | undefined;
  return (name) => {
    id ??= newId();
    return `${id}/${name}`;
  };
}
