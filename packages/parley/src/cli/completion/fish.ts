import type { Command } from '../command.ts';
import { optionHelp } from '../help.ts';
import { GENERAL_OPTIONS, type OptionName, specOf } from '../options.ts';
import { type ValueKind, valueKindOf } from './value-kind.ts';

export function fishCompletion(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const none = `not __fish_seen_subcommand_from ${names}`;
  const lines = commands.flatMap((command) => {
    const seen = `__fish_seen_subcommand_from ${command.name}`;
    const actions = command.actions ?? [];
    return [
      `complete -c parley -n ${quoted(none)} -f -a ${command.name} -d ${quoted(command.summary)}`,
      ...(actions.length === 0 ? [] : [`complete -c parley -n ${quoted(seen)} -a ${quoted(actions.join(' '))}`]),
      ...command.options.map((name) => optionLine(name, `-n ${quoted(seen)} `, command)),
    ];
  });
  return `# Completion of parley for fish. Save it as ~/.config/fish/completions/parley.fish
${GENERAL_OPTIONS.map((name) => optionLine(name, '')).join('\n')}
${lines.join('\n')}
`;
}

function optionLine(name: OptionName, condition: string, command?: Command): string {
  const { short } = specOf(name);
  const flags = `-l ${name}${short ? ` -s ${short}` : ''}`;
  return `complete -c parley ${condition}${flags}${valueFlags(valueKindOf(name))} -d ${quoted(optionHelp(name, command))}`;
}

function valueFlags(value: ValueKind): string {
  switch (value.kind) {
    case 'none':
      return '';
    case 'files':
      return ' -r -F';
    case 'text':
      return ' -x';
    case 'words':
      return ` -x -a ${quoted(value.words.join(' '))}`;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
