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

const SKILL = { id: 's', name: 'S', description: 'A skill', tags: ['test'] };
const RUNS = { ...FACTS, run: () => 'done' };

it.each([
  [{ resumeable: true }, 'there is no option resumeable; did you mean resumable?'],
  [{ skils: [] }, 'there is no option skils; did you mean skills?'],
  [{ tools: {} }, 'there is no option tools; there are name, title, description, version, skills, '],
  [
    { skills: [SKILL, { ...SKILL, id: 't', scope: ['admin'] }] },
    'there is no option skills[1].scope; did you mean skills[1].scopes?',
  ],
  [{ skills: [{ ...SKILL, ouput: {} }] }, 'there is no option skills[0].ouput; did you mean skills[0].output?'],
  [{ skills: [{ ...SKILL, scopes: 'admin' }] }, 'skills[0].scopes must be a list of strings, not "admin"'],
  [
    { skills: [{ ...SKILL, input: { type: 'object' } }] },
    'skills[0].input must be a schema of a library such as Zod, or ',
  ],
  [{ skills: SKILL }, 'skills must be a list of skills, not an object'],
  [{ extendedCard: { skils: [] } }, 'there is no option extendedCard.skils; did you mean extendedCard.skills?'],
  [{ extensions: [{ uri: 'urn:x', requierd: true }] }, 'there is no option extensions[0].requierd; did you mean '],
  [{ card: { securitySchema: {} } }, 'there is no option card.securitySchema; did you mean card.securitySchemes?'],
  [{ provider: 'Acme' }, 'provider must be an object with organization, url, contactEmail, not "Acme"'],
  [{ inputModes: 'text/plain' }, 'inputModes must be a list of strings, not "text/plain"'],
  [{ version: 1 }, 'version must be a string, not 1'],
  [{ streaming: 'no' }, 'streaming must be true or false, not "no"'],
  [{ onCancel: Promise.resolve() }, 'onCancel must be a function, not a Promise: await it first'],
])('a definition says what nobody would read, or a wrong value: %j', (more, problem) => {
  expect(() => defineUnchecked({ ...RUNS, ...more })).toThrow(`Agent "a": ${problem}`);
});

it('what is no definition is refused', () => {
  for (const [given, shown] of [
    [null, 'null'],
    [() => 'x', 'a function'],
    ['a', '"a"'],
  ] as const) {
    expect(() => defineUnchecked(given as unknown as object)).toThrow(
      new TypeError(`defineAgent takes { name, description, version, run }, not ${shown}`),
    );
  }
});

it('a definition may have members without a value, and be that of another agent', () => {
  const agent = defineAgent({ ...RUNS, skills: [{ ...SKILL, scopes: undefined }], onCancel: undefined });
  expect(defineAgent({ ...agent, name: 'b' }).skills).toEqual(agent.skills);
  defineUnchecked({ ...RUNS, resumeable: undefined });
});
