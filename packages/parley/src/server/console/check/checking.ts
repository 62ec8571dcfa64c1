import type { Agent } from '../../../agent/agent.ts';
import type { ExchangeRequest, ExchangeResponse } from '../../../bindings/exchange.ts';
import type { JsonObject } from '../../../model/basics/json.ts';
import type { SecurityScheme } from '../../../model/card.ts';
import { A2AError, quoted } from '../../../model/errors/errors.ts';
import type { CheckRequest } from '../../operator/check-api.ts';
import type { InternalErrors } from '../../operator/internal-errors.ts';
import type { OperatorResource } from '../../operator/operator-routes.ts';
import type { ServerOutbound } from '../../outbound/server-outbound.ts';
import type { BaseUrlSettings } from '../../routing/base-url.ts';
import { readGivenHeaders } from '../given-headers.ts';
import { outsideRefusal } from '../outside-refusal.ts';
import { LineBody } from './line-body.ts';

/** Checks that may run at once: each sends hundreds of requests. */
export const MOST_CHECKS = 2;
/** Milliseconds that one check may take; rules that are left then are skipped. */
export const CHECK_TIMEOUT = 180_000;
/** Names of areas and rules in `only`. */
const MOST_ONLY = 300;
const LONGEST_ONLY = 100;
const MEMBERS: readonly string[] = ['agent', 'url', 'headers', 'only'];

const LINES = {
  'content-type': 'application/x-ndjson',
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  // A proxy that gathers responses would show the rules all at once.
  'x-accel-buffering': 'no',
};

export interface CheckSurroundings {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly pathOf: (name: string) => string;
  readonly settings: BaseUrlSettings;
  /** The way of a request to this server, without a network. */
  readonly handle: (request: ExchangeRequest) => Promise<ExchangeResponse>;
  readonly outbound: ServerOutbound;
  /** The kinds of credentials that the server takes. */
  readonly schemes: () => readonly SecurityScheme[];
  readonly failures: InternalErrors;
}

/** The subject of a check, and its settings. */
export interface CheckTarget {
  readonly agent: string | undefined;
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly only: readonly string[];
}

/** Runs `parley check` for operators, on an agent of this server or on an outside one, behind the guard. */
export function checking(surroundings: CheckSurroundings): OperatorResource {
  let running = 0;
  return {
    method: 'POST',
    async respond({ body, asked }) {
      const target = readTarget(body(), surroundings.agents);
      if (running >= MOST_CHECKS) {
        throw new A2AError('OVERLOADED', `${MOST_CHECKS} checks run already; wait for one of them or stop it`);
      }
      running += 1;
      try {
        if (target.url !== undefined) await requireReachable(surroundings.outbound, target.url);
        const { runFor } = await import('../node/check/run-for.ts');
        const lines = new LineBody();
        const leaving = new AbortController();
        lines.onLeft = () => leaving.abort();
        const stopListening = asked.request.onAbort?.(() => leaving.abort());
        void runFor(target, asked.request, surroundings, lines, leaving.signal).finally(() => {
          running -= 1;
          stopListening?.();
          lines.end();
        });
        return { status: 200, headers: LINES, body: lines };
      } catch (error) {
        running -= 1;
        throw error;
      }
    },
  };
}

async function requireReachable({ relayGuard }: ServerOutbound, url: string): Promise<void> {
  try {
    await relayGuard.checkUrl(url);
  } catch (error) {
    throw outsideRefusal(error, url);
  }
}

/** Throws INVALID_PARAMS with what is wrong, or NOT_FOUND for an agent that is not there. */
function readTarget(given: JsonObject, agents: ReadonlyMap<string, Agent>): CheckTarget {
  const unknown = Object.keys(given).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) throw invalid(`A check has no "${quoted(unknown)}"; it has ${MEMBERS.join(', ')}`);
  const { agent, url, headers = {}, only = [] } = given as Partial<Record<keyof CheckRequest, unknown>>;
  if ((agent === undefined) === (url === undefined)) {
    throw invalid('Give agent, the name of an agent of this server, or url, the address of an outside one');
  }
  if (agent !== undefined && typeof agent !== 'string') throw invalid('agent must be the name of an agent');
  if (url !== undefined && typeof url !== 'string') throw invalid('url must be the address of an outside agent');
  if (typeof agent === 'string' && !agents.has(agent)) {
    const names = [...agents.keys()].join(', ');
    throw new A2AError('NOT_FOUND', `There is no agent "${quoted(agent)}" here. There is: ${names}`);
  }
  return { agent, url, headers: readGivenHeaders(headers), only: readOnly(only) };
}

function readOnly(only: unknown): readonly string[] {
  const isList = Array.isArray(only) && only.every((one) => typeof one === 'string' && one.length <= LONGEST_ONLY);
  if (!isList) throw invalid('only must be a list of areas and of ids of rules');
  if (only.length > MOST_ONLY) throw invalid(`only must not name more than ${MOST_ONLY} areas and rules`);
  return only;
}

function invalid(text: string): A2AError {
  return new A2AError('INVALID_PARAMS', text);
}
