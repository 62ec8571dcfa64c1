/** Makes `sales.csv`: `node make-sales.ts > sales.csv`. The same seed gives the same file. */
import { formatCsv } from '../sales/csv.ts';

const YEAR = 2025;
const SEED = 20_250_101;

/** Share of the base volume. */
const REGIONS = { North: 1.15, South: 0.8, East: 0.95, West: 1.3 };

/** `trend` is the growth from January to December. */
const PRODUCTS = [
  { name: 'Standing desk', units: 42, price: 489, laterPrice: 509, trend: 0.25 },
  { name: 'Office chair', units: 75, price: 259, laterPrice: 259, trend: 0.08 },
  { name: 'Monitor, 27"', units: 68, price: 329, laterPrice: 309, trend: 0.15 },
  { name: 'Keyboard', units: 110, price: 89, laterPrice: 89, trend: -0.3 },
  { name: 'Headset', units: 90, price: 119, laterPrice: 124.5, trend: 0.4 },
  { name: 'Desk lamp', units: 60, price: 64.5, laterPrice: 64.5, trend: -0.5 },
];

/** Demand over the year: strong starts, a quiet summer, a rush before the holidays. */
const SEASON = [1.02, 0.96, 1.05, 1, 0.98, 0.95, 0.88, 0.85, 1.02, 1.02, 1.14, 1.08];

const FIRST_MONTH_OF_LATER_PRICES = 6;

export function makeSales(): string {
  const random = createRandom(SEED);
  const rows: (string | number)[][] = [['month', 'region', 'product', 'units', 'unit_price']];
  for (const [month, season] of SEASON.entries()) {
    for (const [region, share] of Object.entries(REGIONS)) {
      for (const product of PRODUCTS) {
        const trend = 1 + (product.trend * month) / (SEASON.length - 1);
        const noise = 0.88 + 0.24 * random();
        const units = Math.round(product.units * share * season * trend * noise);
        const price = month < FIRST_MONTH_OF_LATER_PRICES ? product.price : product.laterPrice;
        rows.push([`${YEAR}-${String(month + 1).padStart(2, '0')}`, region, product.name, units, price.toFixed(2)]);
      }
    }
  }
  return formatCsv(rows);
}

/** A linear congruential generator: numbers from 0 up to 1 that depend on the seed alone. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

if (import.meta.main) process.stdout.write(makeSales());
