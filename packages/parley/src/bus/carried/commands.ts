import { GONE_TEXT, writeFailure, writeValue } from './responses.ts';

/** Commands that are remembered, so that one which arrives twice is carried out once. */
const MOST_REMEMBERED = 2_000;

interface Command {
  /** The response, once there is one. */
  text?: string;
  /** The place that the response goes to. */
  place: string;
}

type Respond = (place: string, id: string, text: string) => void;

/** Commands of other nodes, carried out here. */
export class Commands {
  readonly #known = new Map<string, Command>();
  readonly #handle: (command: unknown) => Promise<unknown>;
  readonly #respond: Respond;

  constructor(handle: (command: unknown) => Promise<unknown>, respond: Respond) {
    this.#handle = handle;
    this.#respond = respond;
  }

  take(place: string, id: string, text: string): void {
    const known = this.#known.get(id);
    if (known) {
      known.place = place;
      if (known.text !== undefined) this.#respond(place, id, known.text);
      return;
    }
    const command: Command = { place };
    this.#remember(id, command);
    void this.#carryOut(text).then((response) => {
      command.text = response;
      this.#respond(command.place, id, response);
    });
  }

  /** Tells those who still wait that this node is leaving. */
  leave(): void {
    for (const [id, { text, place }] of this.#known) {
      if (text === undefined) this.#respond(place, id, GONE_TEXT);
    }
  }

  async #carryOut(text: string): Promise<string> {
    try {
      return writeValue(await this.#handle(JSON.parse(text)));
    } catch (error) {
      return writeFailure(error);
    }
  }

  /** Forgets the oldest that have been responded to; one that is at work is never forgotten. */
  #remember(id: string, command: Command): void {
    this.#known.set(id, command);
    if (this.#known.size <= MOST_REMEMBERED) return;
    for (const [known, { text }] of this.#known) {
      if (text === undefined) continue;
      this.#known.delete(known);
      return;
    }
  }
}
