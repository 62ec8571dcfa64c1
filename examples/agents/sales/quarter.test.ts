import { describe, expect, it } from 'vitest';
import { findPeriod, findQuarter, findYear, formatPeriod } from './quarter.ts';

describe('findQuarter', () => {
  it.each([
    ['Q1', 1],
    ['q2', 2],
    ['Analyze Q3, please', 3],
    ['(Q4)', 4],
    ["What were Q4's figures?", 4],
    ['Q 4', 4],
    ['Q-4', 4],
    ['Q4/2025', 4],
    ['Q4-2025', 4],
    ['2025Q4', 4],
    ['2025-Q4', 4],
    ['the 4Q report', 4],
    ['Ｑ４', 4],
    ['quarter 4', 4],
    ['Quarter  three', 3],
    ['quarter no. 2', 2],
    ['quarter #2', 2],
    ['quarter number one', 1],
    ['How did the first quarter go?', 1],
    ['the 2nd quarter', 2],
    ['THIRD QUARTER', 3],
    ['a fourth-quarter report', 4],
    ['last quarter', 4],
    ["the last quarter's sales", 4],
    ['the final fiscal quarter', 4],
    ['Q4, the last quarter', 4],
    ['4', 4],
    [' The first one. ', 1],
    ['second!', 2],
  ])('understands %j', (source, quarter) => {
    expect(findQuarter(source)).toBe(quarter);
  });

  it.each([
    [''],
    ['Write a sales report'],
    ['Q5'],
    ['Q0'],
    ['Q44'],
    ['FAQ4'],
    ['Q4b'],
    ['quarter 5'],
    ['quarterly report, 4 pages'],
    ['a quarter of 4 regions'],
    ['this quarter'],
    ['the last two quarters'],
    ['the first region'],
    ['4 pages'],
  ])('finds none in %j', (source) => {
    expect(findQuarter(source)).toBeUndefined();
  });

  it.each([
    ['Q1 and Q2'],
    ['Q1-Q4'],
    ['Q1-4'],
    ['Q3 or the last quarter'],
    ['first and second quarter'],
    ['the second to last quarter'],
  ])('takes %j for more than one', (source) => {
    expect(findQuarter(source)).toBeUndefined();
  });
});

describe('findYear', () => {
  it.each([
    ['Q4 2025', 2025],
    ['Q4/2024', 2024],
    ['Q4-2024', 2024],
    ['2024Q4', 2024],
    ['The report for 2023.', 2023],
    ['2025 and again 2025', 2025],
  ])('understands %j', (source, year) => {
    expect(findYear(source)).toBe(year);
  });

  it.each([
    ['Q4'],
    ['2024 or 2025'],
    ['as of 2025-10-01'],
    ['the 1990s'],
    ['12025'],
    ['$1,999'],
    ['2500'],
  ])('finds none in %j', (source) => {
    expect(findYear(source)).toBeUndefined();
  });
});

it('a period is a quarter, with a year if there is one', () => {
  expect(findPeriod('Q2 2025')).toEqual({ quarter: 2, year: 2025 });
  expect(findPeriod('Q2')).toEqual({ quarter: 2, year: undefined });
  expect(findPeriod('2025')).toBeUndefined();
  expect(formatPeriod({ quarter: 2, year: 2025 })).toBe('Q2 2025');
  expect(formatPeriod({ quarter: 2 })).toBe('Q2');
});
