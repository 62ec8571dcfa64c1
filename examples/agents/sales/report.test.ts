import { describe, expect, it } from 'vitest';
import { analyseQuarter } from './analysis.ts';
import { parseCsv } from './csv.ts';
import type { QuarterFigures } from './figures.ts';
import type { Quarter } from './quarter.ts';
import { figuresToCsv, reportLines, summarize } from './report.ts';
import { loadSales } from './sales.ts';

describe('reportLines', () => {
  it('is a Markdown document with a title, a summary, two tables and highlights', async () => {
    const figures = await figuresOf(4);
    const report = [...reportLines(figures)].join('');
    expect(report.split('\n').filter((line) => line.startsWith('#'))).toEqual([
      '# Sales report for Q4 2025',
      '## Products',
      '## Regions',
      '## Highlights',
    ]);
    expect(report).toContain(`\n\n${summarize(figures)}\n\n`);
    for (const group of [...figures.products, ...figures.regions]) expect(report).toContain(`\n| ${group.name} | `);
    expect(report.match(/^\| \*\*Total\*\* \|/gm)).toHaveLength(2);
    expect(report).toContain('Strongest growth');
  });

  it('gives one line at a time', async () => {
    for (const line of reportLines(await figuresOf(4))) expect(line).toMatch(/^[^\n]*\n$/);
  });

  it('does without a quarter before', async () => {
    const report = [...reportLines(await figuresOf(1))].join('');
    expect(report).toContain('| Against the quarter before |');
    expect(report).toContain(' | n/a |');
    expect(report).not.toContain('growth');
  });
});

describe('summarize', () => {
  it('compares with the quarter before', async () => {
    expect(summarize(await figuresOf(1))).toContain('with no quarter before it to compare with');
    expect(summarize(await figuresOf(3))).toMatch(
      /^In Q3 2025, [\d,]+ units .* \$[\d,]+, [\d.]+% less than in Q2 2025\./,
    );
    expect(summarize(await figuresOf(4))).toMatch(/% more than in Q3 2025\./);
  });
});

describe('figuresToCsv', () => {
  it('has the rows of all groups and the total', async () => {
    const figures = await figuresOf(4);
    const [header, ...rows] = parseCsv(figuresToCsv(figures));
    expect(header).toEqual(['group', 'name', 'units', 'revenue', 'share', 'growth']);
    expect(rows.map((row) => row[0])).toEqual([
      ...Array<string>(6).fill('product'),
      ...Array<string>(4).fill('region'),
      ...Array<string>(3).fill('month'),
      'total',
    ]);
    expect(rows.map((row) => row[1])).toContain('Monitor, 27"');
    expect(rows.at(-1)).toEqual([
      'total',
      'Q4 2025',
      String(figures.total.units),
      figures.total.revenue.toFixed(2),
      '1',
      String(figures.total.growth),
    ]);
  });
});

async function figuresOf(quarter: Quarter): Promise<QuarterFigures> {
  const figures = analyseQuarter(await loadSales(), { quarter });
  if (figures === undefined) throw new Error(`No figures for Q${quarter}`);
  return figures;
}
