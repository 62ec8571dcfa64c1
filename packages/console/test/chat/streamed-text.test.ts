import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, LONGEST_BLOCK, StreamedText } from '../../src/chat/text/streamed-text.ts';

function blocksOf(pieces: readonly string[]): readonly Block[] {
  const text = new StreamedText();
  for (const piece of pieces) text.append(piece);
  text.finish();
  const { sections, tail, open } = text.view();
  expect(open).toBeUndefined();
  return [...sections.flatMap(({ blocks }) => blocks), ...tail];
}

const textOf = (block: Block) => (block.kind === 'markdown' ? block.text : block.segments.join(''));

describe('a text that is shown while it grows', () => {
  it('is cut at empty lines and around fences', () => {
    const blocks = blocksOf(['# Title\n\nSome ', 'words\n```ts\nconst a = 1;\n\nconst b = 2;\n```\nmore\n']);
    expect(blocks).toEqual([
      { kind: 'markdown', text: '# Title\n\n' },
      { kind: 'markdown', text: 'Some words\n' },
      { kind: 'code', language: 'ts', segments: ['const a = 1;\n\nconst b = 2;\n'], isClosed: true },
      { kind: 'markdown', text: 'more\n' },
    ]);
  });

  it('shows the block that is being written', () => {
    const text = new StreamedText();
    text.append('done\n\nnot ye');
    expect(text.view()).toMatchObject({ tail: [{ text: 'done\n\n' }], open: { kind: 'markdown', text: 'not ye' } });
    text.append('t\n```py\nx = ');
    expect(text.view().open).toEqual({ kind: 'code', language: 'py', segments: ['x = '], isClosed: false });
  });

  it('keeps a fence that is indented with the list that it belongs to', () => {
    const [only, ...others] = blocksOf(['- item\n  ```\n\n  code\n  ```\n  end\n']);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ kind: 'markdown' });
  });

  it('is the same blocks however it was cut into pieces, and loses nothing but empty lines', () => {
    const line = fc.constantFrom(
      'words of text',
      '# head',
      '',
      '```',
      '```js',
      '~~~',
      '- item',
      '  ```',
      '| a | b |',
      'x'.repeat(3000),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.array(fc.nat(400), { maxLength: 40 }), (lines, cuts) => {
        const whole = lines.join('\n');
        const pieces: string[] = [];
        let rest = whole;
        for (const cut of cuts) {
          pieces.push(rest.slice(0, cut));
          rest = rest.slice(cut);
        }
        const blocks = blocksOf([...pieces, rest]);
        expect(blocks).toEqual(blocksOf([whole]));
        const isKept = (text: string) => text.replaceAll(/^\s*(`{3,}|~{3,})\w*\s*$/gm, '').replaceAll(/\s/g, '');
        expect(isKept(blocks.map(textOf).join('\n'))).toBe(isKept(whole));
      }),
    );
  });

  it('never has a large block to render anew, whatever comes', () => {
    for (const long of [
      'x'.repeat(800_000),
      'word '.repeat(100_000),
      `${'line\n'.repeat(50_000)}`,
      `- a\n  \`\`\`\n${'  b\n'.repeat(9_000)}`,
    ]) {
      for (const block of blocksOf([long])) expect(textOf(block).length).toBeLessThanOrEqual(LONGEST_BLOCK * 2);
    }
  });

  it('hands on sections that are finished as they are, whatever comes after them', () => {
    const text = new StreamedText();
    for (let count = 0; count < 200; count += 1) text.append(`paragraph ${count}\n\n`);
    const [first] = text.view().sections;
    for (let count = 0; count < 200; count += 1) text.append(`paragraph ${count}\n\n`);
    expect(text.view().sections[0]).toBe(first);
    expect(text.view().tail.length).toBeLessThan(25);
  });
});
