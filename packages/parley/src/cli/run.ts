import { nearest } from '../model/options/nearest.ts';
import { packageVersion } from '../server/operator/node/package-version.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands/index.ts';
import { EXIT } from './exit-codes.ts';
import { helpOf, overview } from './help.ts';
import { type Arguments, GENERAL_OPTIONS, type OptionName, readArguments, unknownOption } from './options.ts';
import { secretsOf } from './show/given-secrets.ts';
import { problemOf } from './show/problems.ts';
import type { Surroundings } from './surroundings.ts';
import { safeJson } from './text/clean.ts';
import { columnsOf } from './text/style.ts';
import { UsageError } from './usage-error.ts';

/** Runs a command line and gives the exit code. Never throws. */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stdout, stderr, program } = surroundings;
  const asJson = args.includes('--json');
  let command: Command | undefined;
  let url: string | undefined;
  let secrets: () => readonly string[] = () => [];
  try {
    // Only for advice: the first word may also be the value of an option.
    const first = args.find((word) => !word.startsWith('-'));
    command = COMMANDS.find((one) => one.name === first);
    const parsed = readArguments(args, command && optionsOf(command));
    // Read when they are needed: a command may renew the token of a login.
    secrets = () => secretsOf(parsed.options, surroundings.env);
    const [name, ...positionals] = parsed.positionals;
    const { help, version } = parsed.options;
    if (version) {
      stdout.write(`${packageVersion()}\n`);
      return EXIT.done;
    }
    const topic = name === 'help' ? positionals[0] : name;
    if (name === undefined && !help) {
      const { welcome } = await import('./welcome.ts');
      stdout.write(welcome(surroundings));
      return EXIT.done;
    }
    if (topic === undefined) {
      stdout.write(overview(COMMANDS, program, columnsOf(stdout)));
      return EXIT.done;
    }
    command = commandOf(topic);
    if (help || name === 'help') {
      stdout.write(helpOf(command, program, columnsOf(stdout)));
      return EXIT.done;
    }
    url = positionals[command.urlAt ?? 0];
    check(command, { positionals, options: parsed.options });
    return await command.run({ positionals, options: parsed.options }, surroundings);
  } catch (error) {
    const { code, text, exitCode } = problemOf(error, { program, command: command?.name, url, secrets: secrets() });
    stderr.write(asJson ? `${safeJson({ error: { code, message: text } })}\n` : `parley: ${text}\n`);
    return exitCode;
  }
}

function commandOf(name: string): Command {
  const found = COMMANDS.find((command) => command.name === name);
  if (found) return found;
  const names = COMMANDS.map((command) => command.name);
  const meant = nearest(name, names);
  throw new UsageError(
    `There is no command ${name}; ${meant ? `did you mean ${meant}?` : `there are ${names.join(', ')}`}`,
  );
}

function optionsOf({ options }: Command): readonly OptionName[] {
  return [...options, ...GENERAL_OPTIONS];
}

function check(command: Command, { positionals, options }: Arguments): void {
  const known = optionsOf(command);
  const foreign = Object.keys(options).find((name) => !known.some((one) => one === name));
  if (foreign !== undefined) {
    const users = COMMANDS.filter((other) => other.options.some((name) => name === foreign)).map(({ name }) => name);
    if (users.length === 0) throw unknownOption(`--${foreign}`, known);
    throw new UsageError(`${command.name} has no option --${foreign}; it belongs to ${users.join(', ')}`);
  }
  const [least, most] = command.words;
  if (positionals.length < least) throw new UsageError(`${command.name} needs ${command.parameters}`);
  const id = positionals[command.parameters.split(' ').indexOf('ID')];
  if (id?.trim().includes('\n')) throw new UsageError(`${command.name} takes one ID, and this one has several lines`);
  if (positionals.length > most) {
    throw new UsageError(`${command.name} takes only ${command.parameters}; "${positionals[most]}" is too much`);
  }
}
