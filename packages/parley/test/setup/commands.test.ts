import { A2AServer } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { reporter } from '../../../../examples/agents/index.ts';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { GENERAL_OPTIONS, readArguments } from '../../src/cli/options.ts';
import { commandBlocks, RUN_PAGES } from '../guide/support/pages.ts';
import { isShown } from '../guide/support/shown.ts';
import { commandLinesOf, parleyArgumentsOf } from './support/commands.ts';
import { runCurl } from './support/curl.ts';
import { blocksOf, DEMO } from './support/documents.ts';
import { PAGES } from './support/links.ts';
import { ROOT, readJson } from './support/repository.ts';

const LINES = PAGES.filter((page) => page !== 'CHANGELOG.md').flatMap(commandLinesOf);

/** What is wrong with a command line of `parley`; undefined where the command line would take it. */
function problemOf(args: readonly string[]): string | undefined {
  try {
    const { positionals, options } = readArguments(args);
    const [name, ...words] = positionals;
    if (name === undefined) return undefined;
    const command = COMMANDS.find((one) => one.name === name);
    if (!command) return `there is no command ${name}`;
    const known = [...command.options, ...GENERAL_OPTIONS] as readonly string[];
    const foreign = Object.keys(options).find((option) => !known.includes(option));
    if (foreign !== undefined) return `${name} has no option --${foreign}`;
    const [least, most] = command.words;
    return words.length < least || words.length > most ? `${name} takes ${command.parameters}` : undefined;
  } catch (error) {
    return String(error);
  }
}

describe('the command lines of the documents', () => {
  it('are ones that the command line takes', () => {
    const lines = LINES.flatMap((line) => {
      const args = parleyArgumentsOf(line);
      return args ? [{ ...line, args }] : [];
    });
    expect(lines.length).toBeGreaterThan(60);
    const wrong = lines.flatMap(({ page, text, args }) => {
      const problem = problemOf(args);
      return problem === undefined ? [] : [`${page}: ${text}: ${problem}`];
    });
    expect(wrong).toEqual([]);
  });

  it('name scripts that there are', () => {
    const { scripts } = readJson(ROOT, 'package.json');
    const run = LINES.flatMap(({ text }) => [...text.matchAll(/\bnpm run (?:-s |--silent )?([a-z0-9:-]+)/g)]);
    expect(run.length).toBeGreaterThan(10);
    expect(run.map(([, name = '']) => name).filter((name) => !(name in scripts))).toEqual([]);
  });

  it.each([
    ['parley send localhost:4000 --nonsense x', /nonsense/],
    ['parley frobnicate localhost:4000', /there is no command frobnicate/],
    ['ID=$(npx parley get)', /get takes URL ID/],
  ])('are looked at: %s', (text, problem) => {
    expect(problemOf(parleyArgumentsOf({ page: '', text }) ?? [])).toMatch(problem);
  });
});

/** What the commands of a page may need that a test does not have. Everything else is run. */
const NOT_HERE: Readonly<Record<string, number>> = {
  'needs a language model': 2,
  'needs a container daemon': 1,
  'needs a host on the network': 3,
  'needs a running cluster': 1,
  'needs grpcurl': 1,
  'takes minutes': 1,
  'installs and tests the repository, as CI does': 1,
};

describe('the blocks of commands in READMEs and documents', () => {
  const blocks = commandBlocks();

  it('are run by a test of their page, or say why not', () => {
    const left = blocks.filter(({ page, notRun }) => notRun === undefined && !RUN_PAGES.has(page));
    expect(left.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
    expect(blocks.filter(({ notRun }) => notRun === undefined).length).toBeGreaterThanOrEqual(70);
  });

  it('that are not run have one of few reasons, and are no more than these', () => {
    const reasons = blocks.flatMap(({ notRun }) => notRun?.split(';')[0] ?? []);
    const counts = Object.fromEntries(
      Object.keys(NOT_HERE).map((name) => [name, reasons.filter((one) => one === name).length]),
    );
    expect(counts).toEqual(NOT_HERE);
    expect(reasons.filter((reason) => !(reason in NOT_HERE))).toEqual([]);
  });
});

it.each([
  ['a\nb', 'a\nb', true],
  ['a  b\n', 'a b', true],
  ['a\nmore\nz', 'a\n…\nz', true],
  ['a\nmore', 'a\n…', true],
  ['task 01a1e5a7-0f47-7053-bcc2-d9a946b7659b', 'task 0198f3c2-7a0e-7bb2-9a57-0c9b8f0c1d2e', true],
  ['a\nc', 'a\nb', false],
  ['a\nmore\ny', 'a\n…\nz', false],
  ['ab', 'ab…b', false],
])('output %j is compared with %j', (printed, text, isSame) => {
  expect(isShown(printed, { text })).toBe(isSame);
});

it('the page on resuming shows a send that may be repeated', async () => {
  const [command = ''] = blocksOf('docs/protocol/resume.md', 'sh');
  const server = await new A2AServer({ agents: [reporter], drainTimeout: 0 }).listen({ port: 0 });
  try {
    const local = command
      .replaceAll('\\\n', '')
      .replace('curl -i', 'curl -si')
      .replaceAll(DEMO, server.url ?? '');
    const responses = [await runCurl(local), await runCurl(local)];
    const ids = responses.map((response) => /"id":"([^"]+)"/.exec(response)?.[1]);
    expect(ids[0]).toBeTruthy();
    expect(ids[1]).toBe(ids[0]);
  } finally {
    await server.close();
  }
});
