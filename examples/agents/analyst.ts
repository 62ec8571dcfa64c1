import { type Agent, defineAgent, inputRequired, json, reject } from 'parley-a2a';
import { analyseQuarter } from './sales/analysis.ts';
import { findPeriod, formatPeriod, WHICH_QUARTER } from './sales/quarter.ts';
import { summarize } from './sales/report.ts';
import { loadSales } from './sales/sales.ts';

/** Computes the figures of a quarter. */
export const analyst: Agent = defineAgent({
  name: 'analyst',
  description: 'Computes the sales figures of a quarter: totals, shares, growth against the quarter before, extremes.',
  version: '1.0.0',
  inputModes: ['text/plain'],
  outputModes: ['application/json', 'text/plain'],
  skills: [
    {
      id: 'analyse-quarter',
      name: 'Quarter analysis',
      description:
        'Totals by product, region and month of one quarter, with the growth against the quarter before and the best ' +
        'and worst of each, as a JSON artifact with a short summary. Asks for the quarter if the message names none.',
      tags: ['sales', 'analysis', 'figures'],
      examples: ['Analyse Q4', 'How did the first quarter go?', 'Figures for quarter 3, please'],
    },
  ],

  async run(task) {
    const period = findPeriod(task.text);
    if (period === undefined) return inputRequired(WHICH_QUARTER);

    await task.status('Reading sales.csv…');
    const sales = await loadSales(task.signal);

    await task.status(`Analysing Q${period.quarter}…`);
    const figures = analyseQuarter(sales, period);
    if (figures === undefined) throw reject(`There are no sales for ${formatPeriod(period)}.`);

    const artifact = task.artifact({ name: 'figures', description: `The sales figures of ${figures.period}` });
    await artifact.end(json(figures, { mediaType: 'application/json' }));
    return summarize(figures);
  },
});
