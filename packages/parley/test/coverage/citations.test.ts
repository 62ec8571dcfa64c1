import { expect, it } from 'vitest';
import { citationsIn } from './citations.ts';

const cite = (id: string) => `[rule:${id}]`;

it('finds what titles cite, however they are written', () => {
  const source = [
    `it('one ${cite('a.a')} and ${cite('a.b')}', async () => {});`,
    `describe("two ${cite('b.a')}", () => {`,
    `  it.only(\`three \${'x'} ${cite('c.a')}\`, () => {});`,
    `  it.each([1, 2])('four %i ${cite('d.a')}', () => {});`,
    `  it.each<[string, Record<string, () => void>]>([`,
    `    ['(', () => run('x')], // it's not a title ")`,
    `  ])(`,
    `    'five ${cite('e.a')}',`,
    `    () => {},`,
    `  );`,
    `  test.skipIf(!exists('it(')) ('six', () => {});`,
    '});',
  ].join('\n');
  expect(citationsIn(source)).toEqual({ cited: ['a.a', 'a.b', 'b.a', 'c.a', 'd.a', 'e.a'], stray: [] });
});

it('takes nothing else for a citation', () => {
  const source = [
    `// it(${cite('comment')})`,
    `const text = '${cite('string')}';`,
    `submit('${cite('other-call')}');`,
    `list.it('${cite('member')}');`,
    `it('title ${cite('real')}', () => expect('${cite('inside')}'));`,
  ].join('\n');
  const { cited, stray } = citationsIn(source);
  expect(cited).toEqual(['real']);
  expect(stray).toEqual(['comment', 'string', 'other-call', 'member', 'inside']);
});
