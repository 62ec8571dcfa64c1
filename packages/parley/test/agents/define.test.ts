import { defineAgent } from 'parley-a2a';
import { expect, it } from 'vitest';

const FACTS = { name: 'a', description: 'An agent', version: '1.0.0' };

/** A definition as JavaScript may have it, which nobody has type-checked. */
function defineUnchecked(definition: object): unknown {
  return defineAgent(definition as Parameters<typeof defineAgent>[0]);
}

it.each([
  [{}, 'needs a name'],
  [{ ...FACTS, name: 'two words' }, '"two words" must be letters and digits'],
  [{ ...FACTS, version: '' }, 'needs a description and a version'],
  [FACTS, 'Agent "a" needs a function run(task)'],
  [{ ...FACTS, run: 'Hello' }, 'Agent "a" needs a function run(task)'],
])('a definition that cannot be run is refused when it is made: %j', (definition, problem) => {
  expect(() => defineUnchecked(definition)).toThrow(problem);
});
