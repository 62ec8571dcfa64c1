import { describe, expect, it } from 'vitest';
import { MarkdownRenderer, PlainRenderer } from '../../../src/cli/markdown/renderer.ts';
import { COLORED, PLAIN } from '../../../src/cli/text/style.ts';

function render(text: string, columns = 60, style = COLORED): string {
  const renderer = new MarkdownRenderer({ style, columns: () => columns });
  return renderer.write(text) + renderer.end();
}

const bold = (text: string) => `\u001b[1m${text}\u001b[0m`;
const cyan = (text: string) => `\u001b[36m${text}\u001b[0m`;
const dim = (text: string) => `\u001b[2m${text}\u001b[0m`;
const italic = (text: string) => `\u001b[3m${text}\u001b[0m`;
const underline = (text: string) => `\u001b[4m${text}\u001b[0m`;

describe('Markdown in a terminal', () => {
  it.for([
    ['# Title', '\u001b[1;4mTitle\u001b[0m\n'],
    ['## Section ##', '\u001b[1;36mSection\u001b[0m\n'],
    ['### Part', `${bold('Part')}\n`],
    ['#hashtag', '#hashtag\n'],
    ['a **bold** and __bold__ word', `a ${bold('bold')} and ${bold('bold')} word\n`],
    ['*italic* and _italic_', `${italic('italic')} and ${italic('italic')}\n`],
    ['***both***', '\u001b[1;3mboth\u001b[0m\n'],
    ['**bold with *italic* inside**', `${bold('bold with ')}\u001b[1;3mitalic\u001b[0m${bold(' inside')}\n`],
    ['~~gone~~', '\u001b[9mgone\u001b[0m\n'],
    ['2 * 3 * 4 and snake_case_name and a ** b', '2 * 3 * 4 and snake_case_name and a ** b\n'],
    ['**never closed', '**never closed\n'],
    ['\\*not italic\\* \\\\', '*not italic* \\\n'],
    ['`code **as is**` here', `${cyan('code **as is**')} here\n`],
    ['``a ` tick``', `${cyan('a ` tick')}\n`],
    ['`never closed', '`never closed\n'],
    ['[text](https://a.example/b)', `${underline('text')}${dim(' (https://a.example/b)')}\n`],
    ['[https://a.example](https://a.example)', `${underline('https://a.example')}\n`],
    ['<https://a.example>', `${underline('https://a.example')}\n`],
    ['see https://a.example/x.', `see ${underline('https://a.example/x')}.\n`],
    ['![chart](https://a.example/c.png)', `${italic('[image: chart]')}${dim(' (https://a.example/c.png)')}\n`],
    ['a &lt; b &amp;&amp; c', 'a < b && c\n'],
    ['> quoted', `${dim('│ ')}${italic('quoted')}\n`],
    ['---', `${dim('─'.repeat(40))}\n`],
    ['- one\n* two\n  + three', `${cyan('•')} one\n${cyan('•')} two\n  ${cyan('•')} three\n`],
    ['1. one\n2) two', `${cyan('1.')} one\n${cyan('2)')} two\n`],
    ['- [ ] open\n- [x] done', `${cyan('☐')} open\n${cyan('☑')} done\n`],
    ['```ts\nconst a = **1**;\n\n  b\n```', `${dim('ts')}\n  ${cyan('const a = **1**;')}\n  \n  ${cyan('  b')}\n`],
    ['~~~\n```\n~~~\nafter', `  ${cyan('```')}\nafter\n`],
    ['one\n\n\n\ntwo', 'one\n\ntwo\n'],
    ['\n\nfirst', 'first\n'],
    ['one\r\ntwo\r\n', 'one\ntwo\n'],
  ])('%j', ([source = '', shown = '']) => {
    expect(render(source)).toBe(shown);
  });

  it('aligns tables', () => {
    const table = '| Product | Units |\n|---|---:|\n| Desk | 5 |\n| **Chair** | 1,000 |\n\nafter';
    expect(render(table)).toBe(
      `${bold('Product')}  ${bold('Units')}\n${dim('───────  ─────')}\nDesk         5\n${bold('Chair')}    1,000\n\nafter\n`,
    );
  });

  it('fits tables into the terminal', () => {
    const long = 'a rather long text that has to be broken';
    const lines = render(`| A | B |\n|---|---|\n| ${long} | ${long} |`, 30, PLAIN).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(30);
    const words = lines
      .slice(2)
      .join(' ')
      .split(/\s+/)
      .filter((word) => word !== '')
      .sort();
    expect(words).toEqual(`${long} ${long}`.split(' ').sort());
  });

  it('leaves a table as it is that cannot fit', () => {
    const table = `|${' x |'.repeat(20)}\n|${'---|'.repeat(20)}\n|${' y |'.repeat(20)}\n`;
    expect(render(table, 30)).toBe(table);
  });

  it('keeps a line with bars that is no table', () => {
    expect(render('a | b\nc')).toBe('a | b\nc\n');
  });

  it('wraps long lines, below their own begin', () => {
    expect(render(`- ${'word '.repeat(8)}`, 24, PLAIN)).toBe('• word word word word\n  word word word word\n');
    expect(render('one two three four five', 20, PLAIN)).toBe('one two three four\nfive\n');
    expect(render('日本語 日本語 日本語 日本語', 20, PLAIN)).toBe('日本語 日本語 日本語\n日本語\n');
  });

  it('keeps its marks where there are no colors', () => {
    const source = '# Title\n\n**bold** `code`\n\n- item\n\n```js\nx\n```';
    expect(render(source, 60, PLAIN)).toBe('# Title\n\n**bold** `code`\n\n• item\n\n```js\nx\n```\n');
  });

  it('shows a line as soon as it is whole', () => {
    const renderer = new MarkdownRenderer({ style: PLAIN, columns: () => 60 });
    expect(renderer.write('Hel')).toBe('');
    expect(renderer.pending).toBe('Hel');
    expect(renderer.write('lo\nthere')).toBe('Hello\n');
    expect(renderer.end()).toBe('there\n');
  });

  it('takes its time with nothing that an agent may say', () => {
    const evil = [
      '*a '.repeat(50_000),
      '[a'.repeat(50_000),
      '`a``b'.repeat(20_000),
      '**_~~'.repeat(20_000),
      '|'.repeat(50_000),
    ];
    const before = process.cpuUsage();
    for (const text of evil) render(text);
    // What this process has used, whatever else the machine does.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
  });
});

it('shows plain text as it is, without what a terminal would obey', () => {
  const renderer = new PlainRenderer();
  expect(renderer.write('# a **b**\n\u001b[31mred')).toBe('# a **b**\n');
  expect(renderer.end()).toBe('␛[31mred\n');
});
