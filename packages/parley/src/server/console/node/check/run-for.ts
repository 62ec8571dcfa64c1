import { type ExchangeRequest, header } from '../../../../bindings/exchange.ts';
import { type CheckOptions, openServer } from '../../../../check/connect.ts';
import { type RunningReceiver, startReceiver } from '../../../../check/probe/receiver.ts';
import type { Server } from '../../../../check/probe/server.ts';
import { isChosen, rulesFor, runCheck } from '../../../../check/run-check.ts';
import { ALL_RULES } from '../../../../check/table/all-rules.ts';
import { textAt } from '../../../../check/wire/json.ts';
import type { SecurityScheme } from '../../../../model/card.ts';
import { A2AError, isA2AError, quoted } from '../../../../model/errors/errors.ts';
import type { CheckLine } from '../../../operator/check-api.ts';
import { baseUrlOf } from '../../../routing/base-url.ts';
import { isLoopbackHost } from '../../../routing/locality.ts';
import { CHECK_TIMEOUT, type CheckSurroundings, type CheckTarget } from '../../check/checking.ts';
import type { LineBody } from '../../check/line-body.ts';
import { guardedCarrier, ownCarrier } from './carriers.ts';
import { hidingOf, ruleLine, summaryLine } from './check-lines.ts';

/** Runs a check and writes its lines. Never rejects: what goes wrong is a line, too. */
export async function runFor(
  target: CheckTarget,
  operator: ExchangeRequest,
  surroundings: CheckSurroundings,
  lines: LineBody,
  signal: AbortSignal,
): Promise<void> {
  const write = (line: CheckLine) => lines.write(line);
  let receiver: RunningReceiver | undefined;
  let server: Server | undefined;
  try {
    requireKnown(target.only);
    const subject = subjectOf(target, operator, surroundings);
    if (subject.isHere) receiver = await startReceiver();
    const hide = hidingOf(subject.headers);
    server = await openedServer(subject, receiver);
    await write({
      kind: 'begin',
      url: subject.url,
      agent: textAt(server.card, 'name') ?? '',
      interfaces: server.targets.map(({ version, binding }) => `${version} ${binding}`),
      rules: rulesFor(server, target.only).length,
    });
    const report = await runCheck(server, {
      only: target.only,
      keepsExchanges: true,
      onResult: (result) => write(ruleLine(result, hide)),
      signal,
    });
    void write(summaryLine(report));
  } catch (error) {
    if (signal.aborted) return;
    const { code, message } = isA2AError(error) ? error : surroundings.failures.report(A2AError.from(error));
    void write({ kind: 'error', code, message });
  } finally {
    server?.sender.close();
    receiver?.close();
  }
}

/** A name that is mistyped must not look like a check that found nothing. */
function requireKnown(only: readonly string[]): void {
  const unknown = only.find((word) => !ALL_RULES.some((info) => isChosen(info, [word])));
  if (unknown === undefined) return;
  const areas = [...new Set(ALL_RULES.map(({ area }) => area))].join(', ');
  throw new A2AError('INVALID_PARAMS', `only: there is no rule or area "${quoted(unknown)}"; the areas are ${areas}`);
}

/** The subject of a check: its address, and the way to it. */
interface Subject extends Pick<CheckOptions, 'carrier' | 'isAllowed'> {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** It can deliver webhooks to this machine. */
  readonly isHere: boolean;
}

function subjectOf(
  { agent, url = '', headers }: CheckTarget,
  operator: ExchangeRequest,
  { pathOf, settings, handle, outbound, schemes }: CheckSurroundings,
): Subject {
  if (agent === undefined) {
    const isHere = outbound.reachesMachine && isLoopbackHost(new URL(url).host);
    const carrier = guardedCarrier(outbound.relayGuard, CHECK_TIMEOUT);
    return { url, headers, isHere, carrier, isAllowed: (other) => placeOf(other) === placeOf(url) };
  }
  const base = baseUrlOf(operator, settings);
  return {
    url: base + pathOf(agent),
    headers: { ...credentialsOf(operator, schemes()), ...headers },
    isHere: outbound.isLocal,
    carrier: ownCarrier(base, operator, handle),
    isAllowed: (other) => placeOf(other) === placeOf(base),
  };
}

async function openedServer({ url, headers, ...options }: Subject, receiver: RunningReceiver | undefined) {
  const credentials = async () => headers;
  const opened = await openServer(url, {
    ...options,
    credentials: () => credentials,
    receiver,
    totalMs: CHECK_TIMEOUT,
  });
  // Other bindings would go another way than that of the carrier.
  const targets = opened.targets.filter(({ binding }) => binding === 'jsonrpc' || binding === 'rest');
  if (targets.length > 0) return { ...opened, targets };
  throw new A2AError(
    'INVALID_RESPONSE',
    opened.declared.length === 0
      ? 'The card names no interface, so there is nothing to call; give it supportedInterfaces (1.0) or url (0.3)'
      : 'The card names no interface that may be called: it must be JSONRPC or HTTP+JSON in 1.0 or 0.3, at the origin of the card',
  );
}

/** The headers of the operator's own request that prove who calls. */
function credentialsOf({ headers }: ExchangeRequest, schemes: readonly SecurityScheme[]): Record<string, string> {
  const names = schemes.flatMap((scheme) => {
    if (scheme.type === 'apiKey') return scheme.in === 'header' ? [scheme.name.toLowerCase()] : [];
    return scheme.type === 'mutualTLS' ? [] : ['authorization'];
  });
  const given = [...new Set(names)].map((name) => [name, header(headers, name)] as const);
  return Object.fromEntries(given.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}

/** The origin, with one name for this machine; undefined for what is no address of the web. */
function placeOf(address: string): string | undefined {
  const url = URL.parse(address);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined;
  return `${url.protocol}//${isLoopbackHost(url.host) ? 'localhost' : url.hostname}:${url.port}`;
}
