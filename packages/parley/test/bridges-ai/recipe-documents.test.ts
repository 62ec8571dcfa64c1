import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf } from '../setup/support/documents.ts';
import { ROOT } from '../setup/support/repository.ts';
import { recipeSource } from './support/recipes.ts';

const NAMES = readdirSync(join(ROOT, 'examples/recipes')).map((name) => name.replace(/\.ts$/, ''));

it('there is a recipe for each library that is asked for (S0.17)', () => {
  expect(NAMES.sort()).toEqual(['ai-sdk', 'langgraph', 'mastra', 'multi-agent', 'openai']);
});

it.for(NAMES)('%s has less than 25 lines', (name) => {
  expect(recipeSource(name).trimEnd().split('\n').length).toBeLessThan(25);
});

it('docs/guides/recipes.md shows each of them, as it is', () => {
  expect(blocksOf('docs/guides/recipes.md', 'ts').sort()).toEqual(NAMES.map(recipeSource).sort());
});
