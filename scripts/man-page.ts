import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from '../packages/parley/src/cli/command.ts';
import { COMMANDS } from '../packages/parley/src/cli/commands/index.ts';
import { EXIT_CODES } from '../packages/parley/src/cli/help.ts';
import { OPTIONS, type OptionName, specOf } from '../packages/parley/src/cli/options.ts';
import { packageVersion } from '../packages/parley/src/server/operator/node/package-version.ts';

const FILE = join(import.meta.dirname, '../packages/parley/man/parley.1');

/** The manual page of `parley`, from the tables that its help is made of. */
export function manPage(): string {
  return `${[
    `.TH PARLEY 1 "" "parley-a2a ${packageVersion()}" "User Commands"`,
    '.SH NAME',
    text('parley - serves A2A agents and talks to them'),
    '.SH SYNOPSIS',
    '.B parley',
    '.I COMMAND',
    text('[OPTIONS]'),
    '.SH DESCRIPTION',
    text('URL is the address of an agent, such as localhost:4000 or https://agents.example.com/a2a/agents/lab.'),
    text('Options may stand anywhere; text that begins with - goes behind --.'),
    '.SH COMMANDS',
    ...COMMANDS.flatMap(commandSection),
    '.SH OPTIONS',
    ...(Object.keys(OPTIONS) as OptionName[]).flatMap(optionEntry),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, text(meaning)]),
  ].join('\n')}\n`;
}

function commandSection({ name, parameters, summary, details, options, examples }: Command): readonly string[] {
  const flags = options.map((option) => `--${option}`).join(', ');
  return [
    `.SS "parley ${text(name)} ${text(parameters).replaceAll('"', '""')}"`,
    text(`${summary.replace(/^./, (letter) => letter.toUpperCase())}.`),
    ...(details ? [text(details)] : []),
    ...(flags ? ['.PP', text(`Options: ${flags}.`)] : []),
    '.PP',
    '.nf',
    ...examples.map((example) => text(`    parley ${example}`)),
    '.fi',
  ];
}

function optionEntry(name: OptionName): readonly string[] {
  const { short, value, help } = specOf(name);
  const flags = [...(short ? [`-${short}`] : []), `--${name}`].map((flag) => `\\fB${text(flag)}\\fR`).join(', ');
  const others = COMMANDS.flatMap((command) => {
    const own = command.optionHelp?.[name];
    return own === undefined ? [] : [`For ${command.name}: ${own}.`];
  });
  return ['.TP', `${flags}${value ? ` \\fI${text(value)}\\fR` : ''}`, text([`${help}.`, ...others].join(' '))];
}

/** Characters that roff would obey, and those that are not ASCII, in its own spelling. */
function text(words: string): string {
  const escaped = words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/[^\x20-\x7e]/gu, (sign) => `\\[u${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`);
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

if (import.meta.main) {
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, manPage());
}
