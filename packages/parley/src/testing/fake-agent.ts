import { handleFetch } from '../adapters/web/web-exchange.ts';
import { BindingTable } from '../bindings/binding-table.ts';
import type { ExchangeRequest, ExchangeResponse } from '../bindings/exchange.ts';
import type { BindingOptions } from '../bindings/options.ts';
import { SERVED_BINDINGS } from '../bindings/served.ts';
import { systemClock } from '../engine/node/clock.ts';
import type { Clock } from '../engine/ports.ts';
import { ANONYMOUS, type NewCall } from '../model/call.ts';
import { type AgentCard, type AgentInterface, RESUME_EXTENSION } from '../model/card.ts';
import { encodeCardAs, namedCardShape } from '../server/cards/card-shapes.ts';
import { HeldBodies } from '../server/http/held/held-bodies.ts';
import { RequestCall } from '../server/http/request-call.ts';
import { httpError } from '../server/http/responses.ts';
import { resolveLimits } from '../server/limits/limits.ts';
import { Router } from '../server/routing/router.ts';
import type { FakeResponse } from './fake-script.ts';
import { type FakeCall, FakeService } from './fake-service.ts';
import { connectionLost } from './line.ts';

export interface FakeAgentScript {
  /** The responses to messages, in order; the last one repeats. */
  readonly responses: readonly FakeResponse[];
  /** Members that replace those of the card. */
  readonly card?: Partial<AgentCard> | undefined;
  /** Serves the resume extension. Default true. */
  readonly resumes?: boolean | undefined;
  /** Serves streams. Default true. */
  readonly streaming?: boolean | undefined;
  /** The clock of pauses. Default: real time. */
  readonly clock?: Clock | undefined;
}

/** A remote agent that does what a script says, in every version and over every binding. */
export interface FakeAgent {
  /** Its address, for `fetch`; where it listens once it does. */
  readonly url: string;
  readonly fetch: typeof fetch;
  /** The calls that it received, in order. */
  readonly calls: readonly FakeCall[];
  /** Serves it on a free port of this machine; needs Node. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

const ADDRESS = 'http://fake.test';
const BASE = '/a2a';

/**
 * Makes a remote agent that follows a script. A single response is given to every message.
 *
 * @example
 * const weather = fakeAgent(['It is ', 'sunny']);
 * const client = new A2AClient(weather.url, { fetch: weather.fetch });
 */
export function fakeAgent(script: FakeAgentScript | FakeResponse): FakeAgent {
  const { clock = systemClock, ...settings } = isScript(script) ? script : { responses: [script] };
  const resumes = settings.resumes ?? true;
  const service = new FakeService(settings.responses, clock, resumes);
  const bindings = new BindingTable(bindingOptions(clock));
  const router = new Router({ basePath: BASE });
  const limits = resolveLimits({ keepAlive: 0 });
  let url = ADDRESS;
  let stop: (() => Promise<void>) | undefined;

  const handle = async (request: ExchangeRequest): Promise<ExchangeResponse> => {
    const { pathname, searchParams: query } = new URL(request.url, url);
    const route = router.routeOf(pathname);
    if (route?.kind === 'card') {
      const body = JSON.stringify(encodeCardAs(namedCardShape(request, query) ?? 'merged', cardOf(url, settings)));
      return { status: 200, headers: { 'content-type': 'application/json' }, body };
    }
    if (route?.kind !== 'operations') return httpError('NOT_FOUND', 'Nothing is here');
    await request.readBody?.(limits.bodyBytes);
    const newCall: NewCall = (details) => new RequestCall(request, 'fake', ANONYMOUS, details);
    const { path, place } = route;
    const found = bindings.find(route);
    return (
      found?.served.handle({ request, query, path, place, service, newCall, limits }) ??
      httpError('NOT_FOUND', 'Nothing is here')
    );
  };
  const core = {
    handle,
    limits,
    clock,
    bodies: new HeldBodies(limits, systemClock),
    log: { error: () => {}, warn: () => {} },
  };

  return {
    get url() {
      return url;
    },
    calls: service.calls,
    fetch: (input, init) => handleFetch(core, new Request(input, init)),
    async listen() {
      const { listenNode } = await import('../adapters/node/listen.ts');
      const listening = await listenNode(core, { port: 0, host: '127.0.0.1' });
      url = `http://127.0.0.1:${listening.port}`;
      stop = () => listening.stop();
      return url;
    },
    async close() {
      await stop?.();
      stop = undefined;
      url = ADDRESS;
    },
  };
}

function isScript(script: FakeAgentScript | FakeResponse): script is FakeAgentScript {
  return typeof script === 'object' && 'responses' in script;
}

function bindingOptions(clock: Clock): BindingOptions {
  const endless = Number.POSITIVE_INFINITY;
  return {
    lenient: true,
    batch: false,
    errorTable: '1.0.1',
    depth: 100,
    keepAlive: endless,
    streamTimeout: endless,
    now: () => clock.now(),
    after: (milliseconds, callback) => clock.after(milliseconds, callback),
    // An error outside the protocol stands for a connection that breaks.
    onInternalError: (error) => {
      if (error.cause !== undefined) throw connectionLost();
    },
  };
}

function cardOf(url: string, { card, resumes = true, streaming = true }: Omit<FakeAgentScript, 'clock'>): AgentCard {
  const interfaces = ['1.0', '0.3'].flatMap((protocolVersion): readonly AgentInterface[] =>
    SERVED_BINDINGS.map(({ protocolBinding }) => ({
      url: `${url}${BASE}`,
      protocolBinding,
      protocolVersion,
    })),
  );
  const extensions = resumes ? [{ uri: RESUME_EXTENSION, description: 'Streams can be resumed', required: false }] : [];
  return {
    name: 'fake',
    description: 'Does as it is told',
    version: '1.0.0',
    interfaces,
    capabilities: { streaming, pushNotifications: false, extendedAgentCard: false, extensions },
    defaultInputModes: ['*/*'],
    defaultOutputModes: ['*/*'],
    skills: [{ id: 'fake', name: 'fake', description: 'Does as it is told', tags: ['test'] }],
    ...card,
  };
}
