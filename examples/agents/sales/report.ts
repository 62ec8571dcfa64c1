import { formatCsv } from './csv.ts';
import type { GroupWithGrowth, QuarterFigures } from './figures.ts';

const MONEY = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });
const COUNT = new Intl.NumberFormat('en-US');
const PERCENT = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const CHANGE = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});
const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' });

/** What the quarter came to, in a few sentences. */
export function summarize(figures: QuarterFigures): string {
  const { total, products, regions, period } = figures;
  const sentences = [
    `In ${period}, ${COUNT.format(total.units)} units brought ${MONEY.format(total.revenue)}, ${comparison(figures)}.`,
  ];
  const [product] = products;
  const [region] = regions;
  if (product) sentences.push(`The strongest product was ${product.name} with ${PERCENT.format(product.share)} of it.`);
  if (region) sentences.push(`The strongest region was ${region.name} with ${PERCENT.format(region.share)}.`);
  return sentences.join(' ');
}

/** The Markdown report, line by line, each with its line end. */
export function* reportLines(figures: QuarterFigures): Generator<string> {
  for (const line of linesOf(figures)) yield `${line}\n`;
}

/** The same figures as a CSV file, one row for each product, region and month, and the total. */
export function figuresToCsv(figures: QuarterFigures): string {
  return formatCsv([
    ['group', 'name', 'units', 'revenue', 'share', 'growth'],
    ...figures.products.map((group) => csvRow('product', group)),
    ...figures.regions.map((group) => csvRow('region', group)),
    ...figures.months.map((group) => csvRow('month', { ...group, growth: null })),
    csvRow('total', { name: figures.period, share: 1, ...figures.total }),
  ]);
}

function* linesOf(figures: QuarterFigures): Generator<string> {
  yield `# Sales report for ${figures.period}`;
  yield '';
  yield summarize(figures);
  yield '';
  yield '## Products';
  yield '';
  yield* table('Product', figures.products, figures);
  yield '';
  yield '## Regions';
  yield '';
  yield* table('Region', figures.regions, figures);
  yield '';
  yield '## Highlights';
  yield '';
  yield* highlights(figures);
}

function* table(title: string, groups: readonly GroupWithGrowth[], figures: QuarterFigures): Generator<string> {
  yield `| ${title} | Units | Revenue | Share | Against ${figures.previousPeriod ?? 'the quarter before'} |`;
  yield '|---|---:|---:|---:|---:|';
  for (const group of groups) yield tableRow(group);
  yield tableRow({ name: '**Total**', share: 1, ...figures.total });
}

function tableRow({ name, units, revenue, share, growth }: GroupWithGrowth): string {
  const cells = [
    name.replaceAll('|', '\\|'),
    COUNT.format(units),
    MONEY.format(revenue),
    PERCENT.format(share),
    growth === null ? 'n/a' : CHANGE.format(growth),
  ];
  return `| ${cells.join(' | ')} |`;
}

function* highlights({ extremes, growthExtremes, months, products }: QuarterFigures): Generator<string> {
  yield `- Best product: ${extremes.product.best}; weakest: ${extremes.product.worst}.`;
  yield `- Best region: ${extremes.region.best}; weakest: ${extremes.region.worst}.`;
  const revenueOf = (month: string) => MONEY.format(months.find((group) => group.name === month)?.revenue ?? 0);
  const { best, worst } = extremes.month;
  yield `- Best month: ${monthName(best)} (${revenueOf(best)}); weakest: ${monthName(worst)} (${revenueOf(worst)}).`;
  if (growthExtremes === null) return;
  const growthOf = (product: string) => CHANGE.format(products.find((group) => group.name === product)?.growth ?? 0);
  const changes = [growthExtremes.best, growthExtremes.worst].map((product) => `${product} (${growthOf(product)})`);
  yield `- Strongest growth: ${changes[0]}; weakest: ${changes[1]}.`;
}

function comparison({ total, previousPeriod }: QuarterFigures): string {
  if (total.growth === null || previousPeriod === null) return 'with no quarter before it to compare with';
  if (total.growth === 0) return `the same as in ${previousPeriod}`;
  return `${PERCENT.format(Math.abs(total.growth))} ${total.growth > 0 ? 'more' : 'less'} than in ${previousPeriod}`;
}

function csvRow(group: string, { name, units, revenue, share, growth }: GroupWithGrowth): readonly (string | number)[] {
  return [group, name, units, revenue.toFixed(2), share, growth ?? ''];
}

function monthName(month: string): string {
  return MONTH.format(new Date(`${month}-01T00:00:00Z`));
}
