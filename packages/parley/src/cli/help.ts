import type { Command } from './command.ts';
import { GENERAL_OPTIONS, type OptionName, specOf } from './options.ts';
import { commandLine, invocation } from './text/shell.ts';
import { padded, widthOf } from './text/width.ts';

export const EXIT_CODES: readonly (readonly [string, string])[] = [
  ['0', 'done'],
  ['1', 'the task failed, was rejected or canceled'],
  ['2', 'the command line is wrong'],
  ['3', 'the agent cannot be reached'],
  ['4', 'the agent does not let you in'],
  ['5', 'the task waits for input'],
];

/** All commands at a glance. */
export function overview(commands: readonly Command[], program: string, columns: number): string {
  const rows = commands.map(({ name, parameters, summary }) => [`${name} ${parameters}`, summary] as const);
  return `Serve A2A agents, and talk to them.

${program} COMMAND [OPTIONS]

${table(rows, columns)}

URL is the address of an agent, such as localhost:4000 or https://agents.example.com/a2a/agents/lab.
Try it:

  ${program} card localhost:4000
  ${commandLine(program, 'stream', 'localhost:4000', 'Write the sales report for Q4')}

${program} COMMAND --help shows options and examples.
`;
}

export function helpOf(command: Command, program: string, columns: number): string {
  const options = [...command.options, ...GENERAL_OPTIONS].map((name): readonly [string, string] => [
    optionUsage(name),
    optionHelp(name, command),
  ]);
  return `${command.summary.replace(/^./, (letter) => letter.toUpperCase())}.

${invocation(program, `${command.name} ${command.parameters} [OPTIONS]`)}
${command.details ? `\n${wrapped(command.details, Math.min(columns, 100)).join('\n')}\n` : ''}
Examples:
${command.examples.map((example) => `  ${invocation(program, example)}`).join('\n')}

Options:
${table(options, columns)}

${wrapped(`Exit codes: ${EXIT_CODES.map(([code, meaning]) => `${code} ${meaning}`).join('; ')}.`, Math.min(columns, 100)).join('\n')}
`;
}

/** The effect of an option for a command. */
export function optionHelp(name: OptionName, command?: Command): string {
  return command?.optionHelp?.[name] ?? specOf(name).help;
}

function optionUsage(name: OptionName): string {
  const { short, value } = specOf(name);
  return `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`;
}

const LONGEST_LEFT = 34;

function table(rows: readonly (readonly [string, string])[], columns: number): string {
  const left = Math.min(LONGEST_LEFT, Math.max(...rows.map(([name]) => widthOf(name)))) + 4;
  const right = Math.max(24, Math.min(columns, 110) - left);
  return rows
    .flatMap(([name, text]) => {
      const lines = wrapped(text, right);
      const begin = `  ${name}`;
      const isTooLong = widthOf(begin) > left - 2;
      const first = isTooLong ? [begin] : [];
      return [...first, ...lines.map((line, index) => padded(index === 0 && !isTooLong ? begin : '', left) + line)];
    })
    .join('\n');
}

function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > columns) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
