import { accessSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CheckReport, Outcome, RuleResult } from '../../check/result.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../show/problems.ts';
import { cleanLine } from '../text/clean.ts';
import { evidenceOf } from './evidence.ts';

/** Makes the folder of a report. Throws where the report could not be written: the check takes minutes and comes first. */
export function prepareReport(path: string): void {
  orSay(path, EXIT.usage, () => {
    mkdirSync(dirname(path), { recursive: true });
    const isThere = existsSync(path);
    if (isThere && statSync(path).isDirectory()) throw new Error('it is a folder');
    accessSync(isThere ? path : dirname(path), constants.W_OK);
  });
}

export function writeReport(path: string, text: string): void {
  orSay(path, EXIT.failed, () => writeFileSync(path, text));
}

function orSay(path: string, exitCode: number, write: () => void): void {
  try {
    write();
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new CommandError(`--junit ${path} cannot be written: ${problem}`, exitCode, 'FAILED');
  }
}

/** A rule as `--json` has it, one object a line. */
export function resultObject(
  { info, verdict, outcomes, milliseconds }: RuleResult,
  secrets: readonly string[],
): unknown {
  return {
    id: info.id,
    verdict,
    level: info.level,
    section: info.section,
    rule: info.text,
    milliseconds: Math.round(milliseconds),
    outcomes: outcomes.map(({ verdict: own, where, reason, exchanges }) => ({
      verdict: own,
      interface: where,
      reason: reason === undefined ? undefined : cleanLine(reason),
      evidence: exchanges.map((exchange) => evidenceOf(exchange, secrets)),
    })),
  };
}

/** The last object of `--json`. */
export function summaryObject({ results, ...report }: CheckReport): unknown {
  const groups = [...Map.groupBy(results, ({ verdict }) => verdict)];
  const counts = Object.fromEntries(groups.map(([verdict, some]) => [verdict, some.length]));
  return { summary: { ...report, milliseconds: Math.round(report.milliseconds), counts } };
}

/** The report as JUnit's XML, which CI servers read: a suite for each area, a case for each rule. */
export function junitOf(report: CheckReport, secrets: readonly string[]): string {
  const groups = Map.groupBy(report.results, ({ info }) => info.area);
  const suites = [...groups].map(([area, results]) => {
    const failures = results.filter(({ verdict }) => verdict === 'FAIL').length;
    const skipped = results.filter(({ verdict }) => verdict === 'SKIP' || verdict === 'N/A').length;
    const cases = results.map((result) => caseOf(result, secrets)).join('');
    return `  <testsuite name="${escaped(area)}" tests="${results.length}" failures="${failures}" skipped="${skipped}">\n${cases}  </testsuite>\n`;
  });
  const name = escaped(`parley check ${report.url}`);
  const time = (report.milliseconds / 1000).toFixed(3);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${name}" time="${time}">\n${suites.join('')}</testsuites>\n`;
}

function caseOf({ info, verdict, outcomes, milliseconds }: RuleResult, secrets: readonly string[]): string {
  const head = `    <testcase classname="${escaped(info.area)}" name="${escaped(`${info.id} (${info.section})`)}" time="${(milliseconds / 1000).toFixed(3)}"`;
  const reasons = (some: readonly Outcome[]) =>
    [...new Set(some.map(({ where, reason = '' }) => (where ? `${where}: ${reason}` : reason)))].join('; ');
  if (verdict === 'PASS') return `${head}/>\n`;
  if (verdict === 'SKIP' || verdict === 'N/A') {
    return `${head}>\n      <skipped message="${escaped(reasons(outcomes))}"/>\n    </testcase>\n`;
  }
  const broken = outcomes.filter((outcome) => outcome.verdict === verdict);
  const text = [info.text, ...broken.flatMap((outcome) => evidenceText(outcome, secrets))].join('\n');
  // JUnit knows no warnings: they are told where output stands, and the case has passed.
  const element = verdict === 'FAIL' ? 'failure' : 'system-out';
  const message = verdict === 'FAIL' ? ` message="${escaped(reasons(broken))}"` : '';
  return `${head}>\n      <${element}${message}>${escaped(text)}</${element}>\n    </testcase>\n`;
}

function evidenceText({ where, reason = '', exchanges }: Outcome, secrets: readonly string[]): readonly string[] {
  const lines = exchanges.map((exchange) => evidenceOf(exchange, secrets));
  return [
    `${where ? `${where}: ` : ''}${cleanLine(reason)}`,
    ...lines.flatMap(({ sent, received }) => [
      ...sent.map((line) => `> ${line}`),
      ...received.map((line) => `< ${line}`),
    ]),
  ];
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** The characters that XML 1.0 cannot write. */
const UNWRITABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

function escaped(text: string): string {
  return text.replace(UNWRITABLE, '\ufffd').replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
