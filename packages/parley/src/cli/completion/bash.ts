import type { Command } from '../command.ts';
import { GENERAL_OPTIONS, OPTIONS, type OptionName, specOf } from '../options.ts';
import { valueKindOf } from './value-kind.ts';

/** Words are names of ours, without anything that a shell would obey. */
export function bashCompletion(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name);
  const general = flagsOf(GENERAL_OPTIONS);
  const cases = commands.map(
    ({ name, options, actions = [] }) =>
      `    ${name}) flags='${flagsOf([...options, ...GENERAL_OPTIONS])}' actions='${actions.join(' ')}' ;;`,
  );
  return `# Completion of parley for bash. In ~/.bashrc: source <(parley completion bash)
_parley() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} name= place=0 flags= actions= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${names.join('|')}) name=\${COMP_WORDS[i]} place=$i; break ;;
    esac
  done
  case $before in
${valueCases().join('\n')}
  esac
  case $name in
    '') flags='${general}' actions='${names.join(' ')} help' ;;
${cases.join('\n')}
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif ((COMP_CWORD == place + 1)); then
    COMPREPLY=($(compgen -W "$actions" -- "$current"))
  fi
}
complete -o default -F _parley parley
`;
}

function flagsOf(options: readonly OptionName[]): string {
  return options.map((name) => `--${name}`).join(' ');
}

/** The values of options; files are left to bash, which knows how to quote them. */
function valueCases(): readonly string[] {
  const files: string[] = [];
  const texts: string[] = [];
  const cases: string[] = [];
  for (const name of Object.keys(OPTIONS) as OptionName[]) {
    const { short } = specOf(name);
    const flag = `--${name}${short ? `|-${short}` : ''}`;
    const kind = valueKindOf(name);
    if (kind.kind === 'files') files.push(flag);
    if (kind.kind === 'text') texts.push(flag);
    if (kind.kind === 'words') {
      cases.push(`    ${flag}) COMPREPLY=($(compgen -W '${kind.words.join(' ')}' -- "$current")); return ;;`);
    }
  }
  return [
    ...cases,
    `    ${files.join('|')}) return ;;`,
    `    ${texts.join('|')}) compopt +o default 2>/dev/null; return ;;`,
  ];
}
