import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { makeSales } from '../data/make-sales.ts';
import { loadSales, parseSales } from './sales.ts';

describe('the data', () => {
  it('cover a year, every region and product in each month', async () => {
    const sales = await loadSales();
    expect(sales).toHaveLength(12 * 4 * 6);
    expect(new Set(sales.map((sale) => sale.month)).size).toBe(12);
    expect(new Set(sales.map((sale) => sale.region)).size).toBe(4);
    expect(new Set(sales.map((sale) => sale.product)).size).toBe(6);
    expect(new Set(sales.map((sale) => `${sale.month} ${sale.region} ${sale.product}`)).size).toBe(sales.length);
    for (const quarter of [1, 2, 3, 4]) expect(sales.filter((sale) => sale.quarter === quarter)).toHaveLength(72);
    expect(sales.every((sale) => sale.units > 0 && sale.unitPriceCents > 0)).toBe(true);
  });

  it('are what make-sales.ts makes', async () => {
    expect(await readFile(new URL('../data/sales.csv', import.meta.url), 'utf8')).toBe(makeSales());
  });

  it('are not read for a run that is canceled', async () => {
    await expect(loadSales(AbortSignal.abort())).rejects.toThrow('aborted');
  });
});

describe('parseSales', () => {
  it('reads columns by name, with money in cents', () => {
    const source = 'unit_price,note,product,region,units,month\n64.5,new,"Lamp, ""tall""",North,3,2025-09\n';
    expect(parseSales(source)).toEqual([
      {
        year: 2025,
        quarter: 3,
        month: '2025-09',
        region: 'North',
        product: 'Lamp, "tall"',
        units: 3,
        unitPriceCents: 6450,
      },
    ]);
  });

  it.each([
    ['a missing column', 'month,region,product\n', 'lack the columns units, unit_price'],
    ['a missing field', `${header()}2025-01,North,Lamp,3\n`, 'Row 1 of the sales data has 4 fields instead of 5'],
    ['a month that is none', `${header()}2025-13,North,Lamp,3,1.00\n`, 'has the month "2025-13"'],
    ['units that are no number', `${header()}2025-01,North,Lamp,many,1.00\n`, 'has the units "many"'],
    ['a price that is no price', `${header()}2025-01,North,Lamp,3,1.005\n`, 'has the unit_price "1.005"'],
  ])('refuses %s', (_what, source, message) => {
    expect(() => parseSales(source)).toThrow(message);
  });
});

function header(): string {
  return 'month,region,product,units,unit_price\n';
}
