import { type CheckReport, countOf, type Outcome, type RuleResult, type Verdict } from '../../check/result.ts';
import { counted } from '../text/amounts.ts';
import { cleanLine } from '../text/clean.ts';
import type { Style, StyleName } from '../text/style.ts';
import { evidenceOf } from './evidence.ts';

const COLORS: Readonly<Record<Verdict, StyleName>> = {
  PASS: 'green',
  FAIL: 'red',
  WARN: 'yellow',
  SKIP: 'cyan',
  'N/A': 'dim',
};

const ID_COLUMNS = 30;
const SECTION_COLUMNS = 26;
const LONGEST_REASON = 400;

interface Appearance {
  readonly style: Style;
  /** Lines of passed and skipped rules are no longer than this; undefined where they may be. */
  readonly columns?: number | undefined;
  readonly secrets: readonly string[];
}

/** The whole report: what was checked, one line a rule in groups, and the sum. */
export function reportLines(report: CheckReport, appearance: Appearance): readonly string[] {
  const { style } = appearance;
  const where =
    report.interfaces.length > 0 ? report.interfaces.join(', ') : 'no interface that the check can speak to';
  const groups = Map.groupBy(report.results, ({ info }) => info.area);
  return [
    `${style.apply(cleanLine(report.agent) || 'an agent without a name', 'bold')} at ${cleanLine(report.url)}`,
    style.apply(where, 'dim'),
    ...report.interfacesLeftOut.map((line) => style.apply(`left out: ${cleanLine(line)}`, 'yellow')),
    ...[...groups].flatMap(([area, results]) => [
      '',
      style.apply(area, 'bold'),
      ...results.flatMap((result) => resultLines(result, appearance)),
    ]),
    '',
    summaryOf(report, style),
  ];
}

function resultLines(result: RuleResult, appearance: Appearance): readonly string[] {
  const { info, verdict, outcomes } = result;
  const { style, columns } = appearance;
  const isBroken = verdict === 'FAIL' || verdict === 'WARN';
  const said = verdict === 'PASS' || isBroken ? info.text : reasonsOf(outcomes);
  const head = `  ${verdict.padEnd(4)}  ${info.id.padEnd(ID_COLUMNS)} ${info.section.padEnd(SECTION_COLUMNS)} `;
  const room = columns === undefined || isBroken ? Number.POSITIVE_INFINITY : Math.max(columns - head.length, 10);
  const text = said.length <= room ? said : `${said.slice(0, room - 1)}…`;
  const line = `  ${style.apply(verdict.padEnd(4), COLORS[verdict], 'bold')}${head.slice(6)}${style.apply(text, 'dim')}`;
  return isBroken ? [line, ...outcomes.flatMap((outcome) => brokenLines(outcome, appearance))] : [line];
}

function reasonsOf(outcomes: readonly Outcome[]): string {
  return [...new Set(outcomes.map(({ reason = '' }) => cleanLine(reason).slice(0, LONGEST_REASON)))].join('; ');
}

/** The requests and responses that show a broken rule. */
function brokenLines({ verdict, where, reason = '', exchanges }: Outcome, appearance: Appearance): readonly string[] {
  if (verdict !== 'FAIL' && verdict !== 'WARN') return [];
  const { style, secrets } = appearance;
  const place = where === undefined ? '' : `${where}: `;
  return [
    `        ${place}${style.apply(cleanLine(reason).slice(0, LONGEST_REASON), COLORS[verdict])}`,
    ...exchanges.flatMap((exchange) => {
      const { sent, received } = evidenceOf(exchange, secrets);
      return [...sent.map((line) => `          > ${line}`), ...received.map((line) => `          < ${line}`)];
    }),
  ];
}

/** `212 passed, 2 failed, …` */
function summaryOf(report: CheckReport, style: Style): string {
  const { results, leftOut } = report;
  const parts = [
    `${countOf(results, 'PASS')} passed`,
    `${countOf(results, 'FAIL')} failed`,
    counted(countOf(results, 'WARN'), 'warning'),
    `${countOf(results, 'SKIP')} skipped`,
    `${countOf(results, 'N/A')} not applicable`,
  ];
  const cost = `${(report.milliseconds / 1000).toFixed(1)} s, ${counted(report.requests, 'request')}`;
  const others =
    leftOut > 0 ? ` ${leftOut} rules of Parley’s own were left out: the card declares none of its extensions.` : '';
  const color = countOf(results, 'FAIL') > 0 ? 'red' : 'green';
  return `${style.apply(parts.join(', '), color, 'bold')} (${cost}).${others}`;
}
