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

export interface RunOptions {
  /** Only the rules of these areas, or with these ids. */
  readonly only?: readonly string[] | undefined;
  /** Told before every rule. */
  readonly onRule?: ((id: string, index: number, count: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export function isChosen({ id, area }: RuleInfo, only: readonly string[] | undefined): boolean {
  return only === undefined || only.length === 0 || only.includes(id) || only.includes(area);
}

/** Runs the rules against a server whose card is known. Never throws for what the server does. */
export async function runCheck(server: Server, { only, onRule, signal }: RunOptions = {}): Promise<CheckReport> {
  const start = performance.now();
  const explorer = new Explorer(server);
  const probes: readonly Probe[] = server.targets.map(
    (target) => new Probe(server, new Caller(target, server.sender, server.credentials), explorer, () => probes),
  );
  const ours = isOurs(server);
  const chosen = ALL_RULES.filter((info) => isChosen(info, only));
  const applied = chosen.filter(({ level }) => ours || level !== 'OURS');
  const ruleOf = new Map(RULES.map((rule) => [rule.id, rule]));
  // What judges everything that was seen comes last, and stands in its place in the report all the same.
  const isLast = ({ id }: RuleInfo) => 'observed' in (ruleOf.get(id) ?? {});
  const order = [...applied.filter((info) => !isLast(info)), ...applied.filter(isLast)];
  const results = new Map<string, RuleResult>();
  for (const [index, info] of order.entries()) {
    signal?.throwIfAborted();
    onRule?.(info.id, index, order.length);
    const begin = performance.now();
    const outcomes = await outcomesOf(info, ruleOf.get(info.id), server, probes);
    results.set(info.id, { info, outcomes, verdict: summed(outcomes), milliseconds: performance.now() - begin });
  }
  for (const probe of probes) await probe.tidyUp();
  return {
    url: server.url,
    agent: textAt(server.card, 'name') ?? '',
    interfaces: server.targets.map(nameOfTarget),
    results: applied.flatMap(({ id }) => results.get(id) ?? []),
    leftOut: chosen.length - applied.length,
    requests: server.budget.requests,
    milliseconds: performance.now() - start,
  };
}

async function outcomesOf(
  info: RuleInfo,
  rule: Rule | undefined,
  server: Server,
  probes: readonly Probe[],
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
    const seen = probe.caller.exchanges.length;
    const look = 'check' in rule ? () => rule.check(probe) : () => rule.observed(probe);
    const lastOnes = () => probe.caller.exchanges.slice(seen).slice(-1);
    outcomes.push(await outcomeOf(info, look, nameOfTarget(probe.caller.target), lastOnes));
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
