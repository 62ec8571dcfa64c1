import type { Extremes, Group, GroupWithGrowth, QuarterFigures, Totals } from './figures.ts';
import { formatPeriod, type Period, type Quarter } from './quarter.ts';
import type { Sale } from './sales.ts';

interface CalendarQuarter extends Period {
  readonly year: number;
}

interface Sum {
  units: number;
  cents: number;
}

/** The figures of a quarter. Nothing if the data have no sales in it. */
export function analyseQuarter(sales: readonly Sale[], { quarter, year }: Period): QuarterFigures | undefined {
  const period = { quarter, year: year ?? Math.max(...sales.map((sale) => sale.year)) };
  const current = salesOf(sales, period);
  if (current.length === 0) return undefined;

  const before = previousPeriod(period);
  const previous = salesOf(sales, before);
  const total = sumOf(current);
  const products = groupsWithGrowth(current, previous, (sale) => sale.product);
  const regions = groupsWithGrowth(current, previous, (sale) => sale.region);
  const months = groupsOf(current, (sale) => sale.month).sort((left, right) => left.name.localeCompare(right.name));
  const compared = products.filter((product) => product.growth !== null);

  return {
    year: period.year,
    quarter,
    period: formatPeriod(period),
    previousPeriod: previous.length > 0 ? formatPeriod(before) : null,
    currency: 'USD',
    total: { ...totalsOf(total), growth: growthOf(total.cents, sumOf(previous).cents) },
    products,
    regions,
    months,
    extremes: { product: extremesOf(products), region: extremesOf(regions), month: extremesOf(months) },
    growthExtremes: compared.length > 0 ? extremesOf(compared, (product) => product.growth ?? 0) : null,
  };
}

/** The sums of units and revenue for each value of `key`. */
export function sumBy(sales: readonly Sale[], key: (sale: Sale) => string): ReadonlyMap<string, Readonly<Sum>> {
  const sums = new Map<string, Sum>();
  for (const sale of sales) {
    const sum = sums.get(key(sale)) ?? { units: 0, cents: 0 };
    sum.units += sale.units;
    sum.cents += sale.units * sale.unitPriceCents;
    sums.set(key(sale), sum);
  }
  return sums;
}

function salesOf(sales: readonly Sale[], { quarter, year }: CalendarQuarter): readonly Sale[] {
  return sales.filter((sale) => sale.quarter === quarter && sale.year === year);
}

const QUARTER_BEFORE: Readonly<Record<Quarter, Quarter>> = { 1: 4, 2: 1, 3: 2, 4: 3 };

function previousPeriod({ quarter, year }: CalendarQuarter): CalendarQuarter {
  return { quarter: QUARTER_BEFORE[quarter], year: quarter === 1 ? year - 1 : year };
}

function groupsOf(sales: readonly Sale[], key: (sale: Sale) => string): Group[] {
  const total = sumOf(sales);
  return Array.from(sumBy(sales, key), ([name, sum]) => ({
    name,
    ...totalsOf(sum),
    share: total.cents === 0 ? 0 : roundRatio(sum.cents / total.cents),
  }));
}

/** A group that sold only in the quarter before is listed too, with nothing sold. */
function groupsWithGrowth(
  current: readonly Sale[],
  previous: readonly Sale[],
  key: (sale: Sale) => string,
): readonly GroupWithGrowth[] {
  const currentSums = sumBy(current, key);
  const previousSums = sumBy(previous, key);
  const gone = [...previousSums.keys()].filter((name) => !currentSums.has(name));
  const groups = [...groupsOf(current, key), ...gone.map((name) => ({ name, units: 0, revenue: 0, share: 0 }))];
  return groups
    .map((group) => ({
      ...group,
      growth: growthOf(currentSums.get(group.name)?.cents ?? 0, previousSums.get(group.name)?.cents ?? 0),
    }))
    .sort((left, right) => right.revenue - left.revenue);
}

function extremesOf<Item extends Group>(
  groups: readonly Item[],
  measure: (group: Item) => number = (group) => group.revenue,
): Extremes {
  const ranked = groups.toSorted((left, right) => measure(right) - measure(left));
  return { best: ranked.at(0)?.name ?? '', worst: ranked.at(-1)?.name ?? '' };
}

function sumOf(sales: readonly Sale[]): Readonly<Sum> {
  return sumBy(sales, () => '').get('') ?? { units: 0, cents: 0 };
}

function totalsOf(sum: Readonly<Sum>): Totals {
  return { units: sum.units, revenue: sum.cents / 100 };
}

function growthOf(cents: number, previousCents: number): number | null {
  return previousCents === 0 ? null : roundRatio(cents / previousCents - 1);
}

function roundRatio(ratio: number): number {
  return Math.round(ratio * 10_000) / 10_000;
}
