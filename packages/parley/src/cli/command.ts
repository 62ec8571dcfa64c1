import type { Arguments, OptionName } from './options.ts';
import type { Surroundings } from './surroundings.ts';

export interface Command {
  readonly name: string;
  /** The parameters after the name, e.g. `URL [TEXT]`. */
  readonly parameters: string;
  /** One line for the overview. */
  readonly summary: string;
  /** Further help, in full sentences. */
  readonly details?: string;
  readonly options: readonly OptionName[];
  /** The effects of options for this command, if they differ from those for others. */
  readonly optionHelp?: Partial<Readonly<Record<OptionName, string>>> | undefined;
  /** Command lines without the program's name. */
  readonly examples: readonly string[];
  /** The number of words it takes: at least, at most. */
  readonly words: readonly [least: number, most: number];
  /** The words that may come first, where they choose what the command does. */
  readonly actions?: readonly string[] | undefined;
  /** The index of the word that is the address of an agent. Default: the first. */
  readonly urlAt?: number | undefined;
  /** Returns the exit code. */
  readonly run: (args: Arguments, surroundings: Surroundings) => Promise<number>;
}
