import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { drawRecording, linesOf } from '../../../../scripts/docs/recording.ts';
import { readSteps } from '../guide/support/guide.ts';
import { assertShown } from '../guide/support/shown.ts';
import { ROOT } from './support/repository.ts';

const PAGE = 'docs/tutorials/first-agent.md';

it('the recorded session is that of the tutorial, whose commands are run', () => {
  const lines = linesOf(readFileSync(join(ROOT, 'docs/assets/first-agent.svg'), 'utf8'));
  const commands = lines.flatMap((line, index) => (line.startsWith('$ ') ? [index] : []));
  expect(commands).toHaveLength(3);
  const steps = readSteps(PAGE);
  for (const start of commands.slice(0, 2)) {
    const command = lines[start]?.slice('$ '.length);
    const step = steps.find(({ kind, text }) => kind === 'run' && text.trim() === command);
    const end = commands.find((other) => other > start);
    if (step?.kind !== 'run' || !step.seen) throw new Error(`${PAGE} does not have ${command}`);
    assertShown(lines.slice(start + 1, end).join('\n'), step.seen);
  }
  // The answer to the question, which the tutorial shows in a program.
  expect(lines.slice((commands[2] ?? 0) + 1)).toEqual(['Hello, Grace!', 'Nice to meet you.']);
});

it('a recording has the lines that were printed', () => {
  const pieces = [
    { at: 0.5, text: 'one <', isOutput: true },
    { at: 0.7, text: 'two>\nthree & four\n', isOutput: true },
  ];
  const picture = drawRecording('A & B', [
    { command: "say 'it'", pieces },
    { command: 'end', pieces: [] },
  ]);
  expect(linesOf(picture)).toEqual(["$ say 'it'", 'one <two>', 'three & four', '$ end']);
  expect(picture).toContain('<title id="title">A &amp; B</title>');
});
