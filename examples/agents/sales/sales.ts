import { readFile } from 'node:fs/promises';
import { parseCsv } from './csv.ts';
import type { Quarter } from './quarter.ts';

/** One row of the data: what one region sold of one product in one month. */
export interface Sale {
  readonly year: number;
  readonly quarter: Quarter;
  /** `2025-10` */
  readonly month: string;
  readonly region: string;
  readonly product: string;
  readonly units: number;
  /** Money is counted in whole cents, so that sums are exact. */
  readonly unitPriceCents: number;
}

const SALES_FILE = new URL('../data/sales.csv', import.meta.url);
const COLUMNS = ['month', 'region', 'product', 'units', 'unit_price'] as const;

export async function loadSales(signal?: AbortSignal, file: URL = SALES_FILE): Promise<readonly Sale[]> {
  return parseSales(await readFile(file, { encoding: 'utf8', signal }));
}

/** Reads the columns by their names, in any order. Throws where a column is missing or a value is not what it must be. */
export function parseSales(source: string): readonly Sale[] {
  const [header = [], ...rows] = parseCsv(source);
  const missing = COLUMNS.filter((column) => !header.includes(column));
  if (missing.length > 0) throw new Error(`The sales data lack the columns ${missing.join(', ')}`);
  return rows.map((row, index) => {
    if (row.length !== header.length) {
      throw new Error(`Row ${index + 1} of the sales data has ${row.length} fields instead of ${header.length}`);
    }
    const field = (column: (typeof COLUMNS)[number]): string => row[header.indexOf(column)] ?? '';
    const matching = (column: (typeof COLUMNS)[number], expected: RegExp): string => {
      const value = field(column);
      if (!expected.test(value)) throw new Error(`Row ${index + 1} of the sales data has the ${column} "${value}"`);
      return value;
    };
    const month = matching('month', /^\d{4}-(?:0[1-9]|1[0-2])$/);
    return {
      year: Number(month.slice(0, 4)),
      quarter: quarterOfMonth(Number(month.slice(5))),
      month,
      region: field('region'),
      product: field('product'),
      units: Number(matching('units', /^\d+$/)),
      unitPriceCents: Math.round(Number(matching('unit_price', /^\d+(?:\.\d{1,2})?$/)) * 100),
    };
  });
}

function quarterOfMonth(month: number): Quarter {
  if (month <= 3) return 1;
  if (month <= 6) return 2;
  return month <= 9 ? 3 : 4;
}
