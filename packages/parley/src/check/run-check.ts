import { nameOfTarget } from './probe/cards.ts';
import { Explorer } from './probe/explorer.ts';
import { Probe } from './probe/probe.ts';
import { isOurs, type Server } from './probe/server.ts';
import type { CheckReport, Outcome, RuleResult, Verdict } from './result.ts';
import { summed } from './result.ts';
import type { Rule } from './rule.ts';
import { RULES } from './rules/index.ts';
import { ALL_RULES } from './table/all-rules.ts';
import type { RuleInfo } from './table/rule-info.ts';
import { UNSEEN } from './unseen.ts';
import { Broken, Ending, Inapplicable } from './verdict.ts';
import { Caller } from './wire/caller.ts';
import type { Exchange } from './wire/exchange.ts';
import { textAt } from './wire/json.ts';

interface RunOptions {
  /** Only the rules of these areas, or with these ids. */
  readonly only?: readonly string[] | undefined;
  /** Told before every rule. */
  readonly onRule?: ((id: string, index: number, count: number) => void) | undefined;
  /** Told after every rule; the next one waits for it. */
  readonly onResult?: ((result: RuleResult) => Promise<void> | void) | undefined;
  /** Keeps what was sent and received for rules that are passed, too. Default: only where a rule is broken. */
  readonly keepsExchanges?: boolean | undefined;
  /** Cuts what is under way; tasks that the check has made are still canceled. */
  readonly signal?: AbortSignal | undefined;
}

export function isChosen({ id, area }: RuleInfo, only: readonly string[] | undefined): boolean {
  return only === undefined || only.length === 0 || only.includes(id) || only.includes(area);
}

/** The rules that are looked at, in the order of the report. */
export function rulesFor(server: Server, only: readonly string[] | undefined): readonly RuleInfo[] {
  const ours = isOurs(server);
  return ALL_RULES.filter((info) => isChosen(info, only) && (ours || info.level !== 'OURS'));
}

/** Runs the rules against a server whose card is known. Never throws for what the server does. */
export async function runCheck(server: Server, options: RunOptions = {}): Promise<CheckReport> {
  const { only, onRule, onResult, keepsExchanges = false, signal } = options;
  const start = performance.now();
  const explorer = new Explorer(server);
  const probes: readonly Probe[] = server.targets.map(
    (target) => new Probe(server, new Caller(target, server.sender, server.credentials), explorer, () => probes),
  );
  const applied = rulesFor(server, only);
  const ruleOf = new Map(RULES.map((rule) => [rule.id, rule]));
  // Rules that judge all exchanges run last, and keep their place in the report.
  const isLast = ({ id }: RuleInfo) => 'observed' in (ruleOf.get(id) ?? {});
  const order = [...applied.filter((info) => !isLast(info)), ...applied.filter(isLast)];
  const results = new Map<string, RuleResult>();
  const interrupt = () => server.sender.interrupt();
  signal?.addEventListener('abort', interrupt, { once: true });
  try {
    for (const [index, info] of order.entries()) {
      signal?.throwIfAborted();
      onRule?.(info.id, index, order.length);
      const begin = performance.now();
      const outcomes = await outcomesOf(info, ruleOf.get(info.id), server, probes, keepsExchanges);
      signal?.throwIfAborted();
      const result = { info, outcomes, verdict: summed(outcomes), milliseconds: performance.now() - begin };
      results.set(info.id, result);
      await onResult?.(result);
    }
  } finally {
    signal?.removeEventListener('abort', interrupt);
    server.sender.resume();
    for (const probe of probes) await probe.tidyUp();
  }
  return {
    url: server.url,
    agent: textAt(server.card, 'name') ?? '',
    interfaces: server.targets.map(nameOfTarget),
    interfacesLeftOut: server.leftOut,
    results: applied.flatMap(({ id }) => results.get(id) ?? []),
    leftOut: ALL_RULES.filter((info) => isChosen(info, only)).length - applied.length,
    requests: server.budget.requests,
    milliseconds: performance.now() - start,
  };
}

async function outcomesOf(
  info: RuleInfo,
  rule: Rule | undefined,
  server: Server,
  probes: readonly Probe[],
  keepsExchanges: boolean,
): Promise<readonly Outcome[]> {
  if (rule === undefined) {
    return [{ verdict: 'SKIP', reason: UNSEEN[info.id] ?? 'nothing checks it', exchanges: [] }];
  }
  const isSpoken = server.targets.some(({ version }) => info.versions.includes(version));
  if ('server' in rule && isSpoken) return [await outcomeOf(info, () => rule.server(server), undefined, none)];
  const fitting = probes.filter((probe) => isAbout(info, probe));
  if ('server' in rule || fitting.length === 0) {
    const wanted = [info.versions.join(' or '), info.bindings.join(' or ')].filter(Boolean).join(' over ');
    return [{ verdict: 'N/A', reason: `no interface of the card that was checked is ${wanted}`, exchanges: [] }];
  }
  const outcomes: Outcome[] = [];
  for (const probe of fitting) {
    const { exchanges, streams } = probe.caller;
    const [seen, opened] = [exchanges.length, streams.length];
    const look = 'check' in rule ? () => rule.check(probe) : () => rule.observed(probe);
    const lastOnes = () => exchanges.slice(seen).slice(-1);
    const outcome = await outcomeOf(info, look, nameOfTarget(probe.caller.target), lastOnes);
    const isBare = keepsExchanges && outcome.exchanges.length === 0;
    const kept = isBare ? [...exchanges.slice(seen), ...streams.slice(opened).map(({ exchange }) => exchange)] : [];
    outcomes.push(isBare ? { ...outcome, exchanges: kept } : outcome);
  }
  return outcomes;
}

const none = (): readonly Exchange[] => [];

function isAbout({ versions, bindings }: RuleInfo, { version, binding }: Probe): boolean {
  return versions.includes(version) && (bindings.length === 0 || bindings.includes(binding));
}

async function outcomeOf(
  { level }: RuleInfo,
  look: () => Promise<void> | void,
  where: string | undefined,
  lastOnes: () => readonly Exchange[],
): Promise<Outcome> {
  const broken: Verdict = level === 'SHOULD' || level === 'MAY' ? 'WARN' : 'FAIL';
  try {
    await look();
    return { verdict: 'PASS', where, exchanges: [] };
  } catch (error) {
    if (error instanceof Broken) {
      const exchanges = error.exchanges.length > 0 ? error.exchanges : lastOnes();
      return { verdict: broken, where, reason: error.message, exchanges };
    }
    if (error instanceof Inapplicable) return { verdict: 'N/A', where, reason: error.message, exchanges: [] };
    if (error instanceof Ending) return { verdict: 'SKIP', where, reason: error.message, exchanges: [] };
    const what = error instanceof Error ? error.message : String(error);
    return { verdict: broken, where, reason: `the response could not be judged: ${what}`, exchanges: lastOnes() };
  }
}
