import type { Command } from '../command.ts';
import { optionHelp } from '../help.ts';
import { GENERAL_OPTIONS, type OptionName, specOf } from '../options.ts';
import { valueKindOf } from './value-kind.ts';

export function zshCompletion(commands: readonly Command[]): string {
  const described = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`);
  const cases = commands.map((command) => {
    const { name, options, actions } = command;
    const specs = [...options, ...GENERAL_OPTIONS].flatMap((option) => argumentSpecs(option, command));
    const first = actions ? [quoted(`1:action:(${actions.join(' ')})`)] : [];
    return `        ${name}) _arguments ${[...specs, ...first, quoted('*:file:_files')].join(' ')} ;;`;
  });
  return `#compdef parley
# Completion of parley for zsh. Save it as _parley in a folder of $fpath.
_parley() {
  local state line
  local -a commands
  commands=(
${described.join('\n')}
  )
  _arguments -C ${GENERAL_OPTIONS.flatMap((option) => argumentSpecs(option)).join(' ')} '1: :->command' '*:: :->rest'
  case $state in
    command) _describe command commands ;;
    rest)
      case $words[1] in
${cases.join('\n')}
      esac ;;
  esac
}
if [ "$funcstack[1]" = _parley ]; then _parley "$@"; else compdef _parley parley; fi
`;
}

function argumentSpecs(name: OptionName, command?: Command): readonly string[] {
  const { short, multiple, value = '' } = specOf(name);
  const kind = valueKindOf(name);
  const action = { none: '', text: `:${plain(value)}: `, files: ':file:_files', words: '' }[kind.kind];
  const values = kind.kind === 'words' ? `:value:(${kind.words.join(' ')})` : action;
  const flags = short ? [`--${name}`, `-${short}`] : [`--${name}`];
  return flags.map((flag) => quoted(`${multiple ? '*' : ''}${flag}[${escaped(optionHelp(name, command))}]${values}`));
}

/** A placeholder without what `_arguments` would read. */
function plain(value: string): string {
  return value.replace(/[^\w|]+/g, ' ').trim();
}

function escaped(help: string): string {
  return help.replace(/[[\]\\:]/g, '\\$&');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
