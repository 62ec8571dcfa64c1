import {
  callTools,
  type ModelRequest,
  type Move,
  type OpenAIServer,
  openaiServer,
} from '../support/openai/openai-server.ts';
import { linesIn } from './points.ts';
import type { Scenario } from './scenario.ts';

export interface LoopModelOptions {
  readonly points: string;
  readonly scenario: Scenario;
  /** Kills the server that asks, if it was not killed at that point before; it never comes back then. */
  readonly at: (point: string) => Promise<void>;
}

/** The model of the agents: it speaks and calls tools by turns, as the scenario has it. It outlives the servers that ask it. */
export class LoopModel {
  readonly #options: LoopModelOptions;
  /** Requests for each call of the loop. */
  readonly asked = new Map<number, number>();
  /** The words of the last response to each call. */
  readonly words = new Map<number, string>();
  /** Requests that do not show the model what it has said before. */
  readonly problems: string[] = [];
  server: OpenAIServer | undefined;

  constructor(options: LoopModelOptions) {
    this.#options = options;
  }

  async listen(): Promise<string> {
    this.server = await openaiServer((request) => this.#reply(request));
    return this.server.url;
  }

  async #reply(request: ModelRequest): Promise<AsyncIterable<Move>> {
    const said = request.body.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content);
    const call = said.length + 1;
    const [shown, expected] = [said, said.map((_, index) => this.words.get(index + 1))].map((all) =>
      JSON.stringify(all),
    );
    if (shown !== expected) this.problems.push(`Call ${call} shows ${shown} for ${expected}`);
    const times = (this.asked.get(call) ?? 0) + 1;
    this.asked.set(call, times);
    const words = this.#wordsOf(call, times);
    this.words.set(call, words.join(''));
    return this.#speak(call, words);
  }

  async *#speak(call: number, words: readonly string[]): AsyncGenerator<Move> {
    const { points, at, scenario } = this.#options;
    await at(`model ${call} is asked`);
    const seen = linesIn(points);
    yield* words.slice(0, 2);
    // The server kills itself when it has the first words; the rest comes to the one after it.
    if (!seen.includes(`model ${call} speaks`)) await new Promise(() => {});
    for (const word of words.slice(2)) {
      await new Promise(setImmediate);
      yield word;
    }
    const names = scenario.calls[call - 1] ?? [];
    yield* callTools(names.map((name) => ({ id: `${call}-${name}`, name, input: { word: name } })));
  }

  #wordsOf(call: number, times: number): readonly string[] {
    const { isFickle } = this.#options.scenario;
    const number = isFickle ? `${call}.${times}` : `${call}`;
    const more = isFickle ? Array.from({ length: 4 - (times % 4) }, (_, index) => `${index} `) : [];
    return [`Call ${number} `, 'has ', ...more, 'words', '.'];
  }
}
