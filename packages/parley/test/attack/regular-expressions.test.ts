import { describe, expect, it } from 'vitest';
import { attacksOn, expressionsInSources, madeExpressions } from './support/regular-expressions.ts';

/** Lengths to begin with: an expression that grows exponentially is seen before it takes forever. */
const FIRST_LENGTHS = [16, 20, 24, 28, 100, 200, 400, 800];
/** The lengths whose costs are compared: in linear time the longer one costs eight times as much, in quadratic time 64 times. */
const SHORT = 1000;
const LONG = 8 * SHORT;
/** Far above 8 and far below 64, which no noise makes of the other. */
const MOST_GROWTH = 28;
/** A search that takes less is too quick for its growth to be measured, and far from quadratic. */
const NEGLIGIBLE_MS = 10;
const ATTEMPTS = 7;

/** The least time of several searches: what other work on the machine adds is left out. */
function costOf(expression: RegExp, text: string, attempts = ATTEMPTS): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    expression.lastIndex = 0;
    const begun = performance.now();
    text.replace(expression, '');
    least = Math.min(least, performance.now() - begun);
    if (least < NEGLIGIBLE_MS) break;
  }
  return least;
}

/** How an expression explodes; undefined where it does not. */
function explosionOf(expression: RegExp, make: (length: number) => string): string | undefined {
  for (const length of FIRST_LENGTHS) {
    if (costOf(expression, make(length)) > NEGLIGIBLE_MS) return `${JSON.stringify(make(4))} at length ${length}`;
  }
  const long = costOf(expression, make(LONG));
  if (long < NEGLIGIBLE_MS) return undefined;
  const growth = long / costOf(expression, make(SHORT));
  return growth > MOST_GROWTH ? `${JSON.stringify(make(4))} costs ${growth.toFixed()} times as much` : undefined;
}

describe('a regular expression', () => {
  const found = expressionsInSources();

  it('is found, and none is made from a text but by a number', () => {
    expect(found.length).toBeGreaterThan(100);
    // Only an indent is put into it.
    expect(madeExpressions()).toEqual(['cli/markdown/renderer.ts']);
  });

  it.each([
    ['exponential', /^(a+)+$/],
    ['quadratic', /a+$/],
    ['quadratic by two neighbours', /^\d+\.?\d*$/],
  ])('that explodes is recognised: %s', (_, expression) => {
    expect(attacksOn(expression).some((make) => explosionOf(expression, make) !== undefined)).toBe(true);
  });

  it('of the sources takes a time that grows with the length of its input, and no faster', () => {
    const explosions = found.flatMap(({ file, expression }) => {
      const how = attacksOn(expression).flatMap((make) => explosionOf(expression, make) ?? []);
      return how.length > 0 ? [`${file} ${String(expression)}: ${how[0]}`] : [];
    });
    expect(explosions).toEqual([]);
  });
});
