import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MarkdownRenderer, PlainRenderer, type Renderer } from '../../../src/cli/markdown/renderer.ts';
import { COLORED, PLAIN } from '../../../src/cli/text/style.ts';
import { plain } from '../support/in-process.ts';

const WORDS = ['alpha', 'beta', 'gamma', 'Δelta', '日本', '🙂', '42'];
const MARKS = [
  ...['*', '**', '***', '_', '__', '~~', '`', '``', '[', '](https://a.example/x)', '![', '<', '>', '|', '\\', '&amp;'],
  ...['# ', '### ', '- ', '* ', '1. ', '> ', '---', '```', '~~~', '| a | b |\n|---|:-:|\n| c |', '  ', '    ', '\t'],
  ...['\n', '\n\n', '\r\n', ' ', ' ', ' '],
];

const document = fc
  .array(fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom(...MARKS), fc.string({ unit: 'binary', maxLength: 4 })), {
    maxLength: 60,
  })
  .map((pieces) => pieces.join(''));

/** A text and where it is cut. */
const cut = document.chain((text) =>
  fc.record({
    text: fc.constant(text),
    places: fc.array(fc.nat(text.length), { maxLength: 12 }).map((places) => [...places].sort((a, b) => a - b)),
  }),
);

function inOne(renderer: Renderer, text: string): string {
  return renderer.write(text) + renderer.end();
}

function inPieces(renderer: Renderer, text: string, places: readonly number[]): string {
  const ends = [...places, text.length];
  const shown = ends.map((end, index) => renderer.write(text.slice(ends[index - 1] ?? 0, end)));
  return shown.join('') + renderer.end();
}

const RENDERERS: readonly (readonly [string, (columns?: number) => Renderer])[] = [
  ['Markdown in colors', (columns = 40) => new MarkdownRenderer({ style: COLORED, columns: () => columns })],
  ['Markdown without colors', (columns = 24) => new MarkdownRenderer({ style: PLAIN, columns: () => columns })],
  ['plain text', () => new PlainRenderer()],
];

describe.for(RENDERERS)('%s', ([, make]) => {
  it('is the same wherever it is cut', () => {
    fc.assert(
      fc.property(cut, ({ text, places }) => {
        expect(inPieces(make(), text, places)).toBe(inOne(make(), text));
      }),
      { numRuns: 500 },
    );
  });

  it('loses no word', () => {
    fc.assert(
      fc.property(document, (text) => {
        // Narrow tables break words.
        const shown = plain(inOne(make(10_000), text)).replace(/\s+/g, '');
        for (const word of WORDS.slice(0, 3)) {
          const count = (where: string) => where.split(word).length - 1;
          expect(count(shown)).toBeGreaterThanOrEqual(count(text));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('has no control character but those of our own styles', () => {
    fc.assert(
      fc.property(document, (text) => {
        expect(plain(inOne(make(), text))).not.toMatch(/[[\p{Cc}--[\n\t]]\p{Bidi_Control}]/v);
      }),
      { numRuns: 300 },
    );
  });
});
