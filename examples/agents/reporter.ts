import { type Agent, bytes, type CallTarget, defineAgent, json, reject, type TaskContext, textOf } from 'parley-a2a';
import { analyst } from './analyst.ts';
import type { QuarterFigures } from './sales/figures.ts';
import { findPeriod, findYear, formatPeriod, type Period, WHICH_QUARTER } from './sales/quarter.ts';
import { figuresToCsv, reportLines } from './sales/report.ts';
import { sleep } from './sleep.ts';

export interface ReporterOptions {
  /** Milliseconds between two lines of the report. Default: 15. */
  readonly pause?: number | undefined;
  /** Who computes the figures. Default: the analyst, which must then be an agent of the same server. */
  readonly analyst?: CallTarget | undefined;
}

const QUESTIONS = 3;

/** Writes a report about a quarter, line by line. */
export function createReporter({ pause = 15, analyst: helper = analyst }: ReporterOptions = {}): Agent {
  return defineAgent({
    name: 'reporter',
    description:
      'Turns a year of sales data into a Markdown report about one quarter, with the figures as JSON and CSV.',
    version: '1.0.0',
    resumable: true,
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

      await task.status('Invoking the analyst…');
      const figures = await figuresFrom(helper, { quarter, year }, task);

      await task.status('Received the figures, writing the report…');
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

/** What the analyst finds out, as a task of its own; what it says meanwhile shows in the report's stream as well. */
async function figuresFrom(helper: CallTarget, period: Period, task: TaskContext): Promise<QuarterFigures> {
  const { status, artifacts } = await task.call(helper, `Analyse ${formatPeriod(period)}`, { forward: true }).task;
  if (status.state === 'rejected' && status.message) throw reject(textOf(status.message));
  const parts = artifacts.find(({ name }) => name === 'figures')?.parts ?? [];
  const figures = parts.find((part) => part.kind === 'data');
  if (status.state !== 'completed' || !figures) throw new Error(`The analysis is ${status.state} and has no figures`);
  return figures.data as unknown as QuarterFigures;
}

async function askForPeriod(task: TaskContext): Promise<Period> {
  for (let question = 1; question <= QUESTIONS; question += 1) {
    const answer = await task.ask(question === 1 ? WHICH_QUARTER : `That names no quarter. ${WHICH_QUARTER}`);
    const period = findPeriod(answer);
    if (period !== undefined) return period;
  }
  throw reject('Without a quarter there is nothing to report on.');
}
