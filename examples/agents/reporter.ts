import { type Agent, bytes, defineAgent, json, reject, type TaskContext } from 'parley-a2a';
import { analyseQuarter } from './analysis.ts';
import { findPeriod, findYear, formatPeriod, type Period, WHICH_QUARTER } from './quarter.ts';
import { figuresToCsv, reportLines } from './report.ts';
import { loadSales } from './sales.ts';
import { sleep } from './sleep.ts';

export interface ReporterOptions {
  /** Milliseconds between two lines of the report. Default: 15. */
  readonly pause?: number | undefined;
}

const QUESTIONS = 3;

/** Writes a report about a quarter, line by line. */
export function createReporter({ pause = 15 }: ReporterOptions = {}): Agent {
  return defineAgent({
    name: 'reporter',
    description:
      'Turns a year of sales data into a Markdown report about one quarter, with the figures as JSON and CSV.',
    version: '1.0.0',
    inputModes: ['text/plain'],
    outputModes: ['text/markdown', 'application/json', 'text/csv'],
    skills: [
      {
        id: 'report',
        name: 'Sales report',
        description:
          'Streams a report with a summary, tables of products and regions, and highlights. Asks for the quarter if the ' +
          'message names none.',
        tags: ['sales', 'report', 'streaming'],
        examples: ['Write the report for Q4', 'Report on the first quarter', 'I need a sales report'],
      },
    ],

    async *run(task) {
      const { quarter, year = findYear(task.text) } = findPeriod(task.text) ?? (await askForPeriod(task));

      await task.status('Reading sales.csv…');
      const sales = await loadSales(task.signal);

      await task.status(`Analysing Q${quarter}…`);
      const figures = analyseQuarter(sales, { quarter, year });
      if (figures === undefined) throw reject(`There are no sales for ${formatPeriod({ quarter, year })}.`);

      await task.status('Writing the report…');
      for (const line of reportLines(figures)) {
        await sleep(pause, task.signal);
        yield line;
      }

      const description = `The sales figures of ${figures.period}`;
      await task.artifact({ name: 'figures', description }).end(json(figures, { mediaType: 'application/json' }));

      const filename = `figures-q${quarter}.csv`;
      const file = bytes(figuresToCsv(figures), { mediaType: 'text/csv', filename });
      await task.artifact({ name: filename, description }).end(file);
    },
  });
}

export const reporter: Agent = createReporter();

async function askForPeriod(task: TaskContext): Promise<Period> {
  for (let question = 1; question <= QUESTIONS; question += 1) {
    const answer = await task.ask(question === 1 ? WHICH_QUARTER : `That names no quarter. ${WHICH_QUARTER}`);
    const period = findPeriod(answer);
    if (period !== undefined) return period;
  }
  throw reject('Without a quarter there is nothing to report on.');
}
