import { callTools, type ModelRequest, type Move, type OpenAIServer, openaiServer } from '../support/openai-server.ts';
import { LAST, LEFT, RIGHT } from './agent.ts';
import { appendLine, linesIn } from './points.ts';

export interface LoopModelOptions {
  readonly points: string;
  /** Each response is other than the one before it, and of another length. */
  readonly isFickle: boolean;
  /** Kills the server that asks. */
  readonly kill: () => void;
}

/** The model of `loopAgent`: it speaks, calls two tools, speaks, calls one, and speaks. It outlives the servers that ask it. */
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
    const { points, kill } = this.#options;
    const seen = linesIn(points);
    const asked = `model ${call} is asked`;
    if (!seen.includes(asked)) {
      appendLine(points, asked);
      kill();
      await new Promise(() => {});
    }
    yield* words.slice(0, 2);
    // The server kills itself when it has the first words; the rest comes to the one after it.
    if (!seen.includes(`model ${call} speaks`)) await new Promise(() => {});
    for (const word of words.slice(2)) {
      await new Promise(setImmediate);
      yield word;
    }
    yield* callsOf(call);
  }

  #wordsOf(call: number, times: number): readonly string[] {
    const number = this.#options.isFickle ? `${call}.${times}` : `${call}`;
    const more = this.#options.isFickle ? Array.from({ length: 4 - (times % 4) }, (_, index) => `${index} `) : [];
    return [`Call `, `${number} `, 'has ', ...more, 'words', '.'];
  }
}

function callsOf(call: number): readonly Move[] {
  const names = [[LEFT, RIGHT], [LAST]][call - 1] ?? [];
  return callTools(names.map((name) => ({ id: `${call}-${name}`, name, input: { word: name } })));
}
