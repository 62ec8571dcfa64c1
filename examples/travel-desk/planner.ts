import { type Agent, type CallTarget, defineAgent, textOf } from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';
import { hotels } from './hotels.ts';
import { nightCount } from './night-count.ts';

const A_DAY = 24 * 60 * 60 * 1000;

/** Writes the plan with a language model, where the environment names one (PARLEY_MODEL). */
export function createWriter(): Agent {
  return llmAgent({
    name: 'writer',
    description: 'Writes the plan of a journey',
    version: '1.0.0',
    instructions: 'Write a friendly travel plan in at most five sentences. Use the facts given, and no others.',
  });
}

export interface PlannerOptions {
  /** Where flights come from: any A2A agent. */
  readonly flights: CallTarget;
  readonly writer?: Agent | undefined;
}

/** Plans a journey: asks for what is missing, has two agents search, lets the caller choose, and writes the plan. */
export function createPlanner({ flights, writer }: PlannerOptions): Agent {
  return defineAgent({
    name: 'planner',
    description: 'Plans a journey to the city that you name',
    version: '1.0.0',
    // A restart in the middle, or while a question is open, loses nothing.
    resumable: true,
    async *run(task) {
      const city = task.text.trim() || (await task.ask('Where do you want to go?'));
      const nights = await task.ask({ prompt: 'For how many nights?', schema: nightCount, timeout: A_DAY });
      const [found, hotel] = await Promise.all([
        task.call(flights, city),
        task.call(hotels, `${city}, ${nights}`, { forward: true }),
      ]);
      const flight = await task.ask({
        prompt: `Which flight to ${city}?`,
        choices: textOf(found).split('\n'),
        timeout: A_DAY,
      });
      const facts = [`City: ${city}`, `Flight: ${flight}`, `Hotel: ${textOf(hotel)}`];
      if (writer) yield* task.call(writer, facts.join('\n')).textStream;
      else for (const fact of ['Your journey is planned.', ...facts]) yield `${fact}\n`;
    },
  });
}
