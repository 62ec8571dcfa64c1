import type { Quarter } from './quarter.ts';

/*
 * Type aliases, not interfaces: only those count as JSON objects, and the figures go out as a data part just as they are.
 */

export type Totals = {
  readonly units: number;
  /** In dollars, exact to the cent. */
  readonly revenue: number;
};

/** What one product, region or month made of the quarter. */
export type Group = Totals & {
  readonly name: string;
  /** Of the quarter's revenue; 0.25 is a quarter of it. */
  readonly share: number;
};

export type GroupWithGrowth = Group & {
  /** Of the revenue against the quarter before; 0.1 is 10 % more. Null where there is nothing to compare with. */
  readonly growth: number | null;
};

export type Extremes = { readonly best: string; readonly worst: string };

export type QuarterFigures = {
  readonly year: number;
  readonly quarter: Quarter;
  /** `Q4 2025` */
  readonly period: string;
  /** Null where the data have no quarter before this one. */
  readonly previousPeriod: string | null;
  readonly currency: 'USD';
  readonly total: Totals & { readonly growth: number | null };
  /** By revenue, highest first; so are the regions. */
  readonly products: readonly GroupWithGrowth[];
  readonly regions: readonly GroupWithGrowth[];
  /** In the order of the calendar. */
  readonly months: readonly Group[];
  /** By revenue. */
  readonly extremes: { readonly product: Extremes; readonly region: Extremes; readonly month: Extremes };
  /** The products whose revenue changed most for the better and for the worse against the quarter before. */
  readonly growthExtremes: Extremes | null;
};
