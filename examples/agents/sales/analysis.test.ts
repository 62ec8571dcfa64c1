import { describe, expect, it } from 'vitest';
import { analyseQuarter, sumBy } from './analysis.ts';
import type { Group } from './figures.ts';
import type { Quarter } from './quarter.ts';
import { loadSales, parseSales } from './sales.ts';

const QUARTERS: readonly Quarter[] = [1, 2, 3, 4];

const SMALL = parseSales(
  [
    'month,region,product,units,unit_price',
    '2024-12,North,Chair,1,100.00',
    '2025-01,North,Chair,2,100.00',
    '2025-01,South,Lamp,10,10.10',
    '2025-03,South,Chair,1,99.00',
    '2025-04,North,Lamp,30,10.00',
    '2025-05,North,Desk,1,100.00',
  ].join('\n'),
);

describe('analyseQuarter', () => {
  it('gives the figures of a quarter', () => {
    expect(analyseQuarter(SMALL, { quarter: 1, year: 2025 })).toEqual({
      year: 2025,
      quarter: 1,
      period: 'Q1 2025',
      previousPeriod: 'Q4 2024',
      currency: 'USD',
      total: { units: 13, revenue: 400, growth: 3 },
      products: [
        { name: 'Chair', units: 3, revenue: 299, share: 0.7475, growth: 1.99 },
        { name: 'Lamp', units: 10, revenue: 101, share: 0.2525, growth: null },
      ],
      regions: [
        { name: 'North', units: 2, revenue: 200, share: 0.5, growth: 1 },
        { name: 'South', units: 11, revenue: 200, share: 0.5, growth: null },
      ],
      months: [
        { name: '2025-01', units: 12, revenue: 301, share: 0.7525 },
        { name: '2025-03', units: 1, revenue: 99, share: 0.2475 },
      ],
      extremes: {
        product: { best: 'Chair', worst: 'Lamp' },
        region: { best: 'North', worst: 'South' },
        month: { best: '2025-01', worst: '2025-03' },
      },
      growthExtremes: { best: 'Chair', worst: 'Chair' },
    });
  });

  it('lists what sold in the quarter before only', () => {
    const figures = analyseQuarter(SMALL, { quarter: 2 });
    expect(figures?.products).toEqual([
      { name: 'Lamp', units: 30, revenue: 300, share: 0.75, growth: 1.9703 },
      { name: 'Desk', units: 1, revenue: 100, share: 0.25, growth: null },
      { name: 'Chair', units: 0, revenue: 0, share: 0, growth: -1 },
    ]);
    expect(figures?.growthExtremes).toEqual({ best: 'Lamp', worst: 'Chair' });
  });

  it('takes the latest year where none is given', () => {
    expect(analyseQuarter(SMALL, { quarter: 1 })?.period).toBe('Q1 2025');
    expect(analyseQuarter(SMALL, { quarter: 4 })).toBeUndefined();
  });

  it('has no growth where there is no quarter before', () => {
    const figures = analyseQuarter(SMALL, { quarter: 4, year: 2024 });
    expect(figures).toMatchObject({ previousPeriod: null, total: { growth: null }, growthExtremes: null });
  });

  it('gives nothing for a quarter without sales', () => {
    expect(analyseQuarter(SMALL, { quarter: 3, year: 2025 })).toBeUndefined();
    expect(analyseQuarter([], { quarter: 1 })).toBeUndefined();
  });

  it('gives every quarter groups that add up to its total, and quarters that add up to the year', async () => {
    const sales = await loadSales();
    const year = { units: 0, cents: 0 };
    for (const quarter of QUARTERS) {
      const figures = analyseQuarter(sales, { quarter });
      if (figures === undefined) throw new Error(`No figures for Q${quarter}`);
      const total = { units: figures.total.units, cents: cents(figures.total.revenue) };
      for (const groups of [figures.products, figures.regions, figures.months]) expect(add(groups)).toEqual(total);
      year.units += total.units;
      year.cents += total.cents;
    }
    expect(sumBy(sales, () => 'year').get('year')).toEqual(year);
  });

  it('computes growth from the totals of both quarters', async () => {
    const sales = await loadSales();
    const third = analyseQuarter(sales, { quarter: 3 });
    const fourth = analyseQuarter(sales, { quarter: 4 });
    const ratio = (fourth?.total.revenue ?? 0) / (third?.total.revenue ?? 0);
    expect(fourth?.total.growth).toBeCloseTo(ratio - 1, 4);
    expect(fourth?.previousPeriod).toBe(third?.period);
  });
});

function add(groups: readonly Group[]): { readonly units: number; readonly cents: number } {
  return {
    units: groups.reduce((sum, group) => sum + group.units, 0),
    cents: groups.reduce((sum, group) => sum + cents(group.revenue), 0),
  };
}

function cents(dollars: number): number {
  return Math.round(dollars * 100);
}
