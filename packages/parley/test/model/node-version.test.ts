import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { isOlderNode, OLDEST_NODE, requireNode } from '../../src/model/basics/node-version.ts';

const older = { Promise: class {} };
const newer = { Promise: { withResolvers() {} } };

describe('the Node that is needed', () => {
  it('is the one of the package', () => {
    expect(manifest.engines.node).toBe(`>=${OLDEST_NODE}`);
    expect(['20.20.2', '22.17.9', '22.18.0', '22.20.0', '24.0.0'].map(isOlderNode)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('is named to a program on an older one', () => {
    expect(() => requireNode({ ...older, process: { versions: { node: '20.20.2' } } })).toThrow(
      'parley-a2a: Node 22.18 or newer is needed; this is 20.20.2. See: https://nodejs.org',
    );
  });

  it.for([
    ['Node that has all', { ...newer, process: { versions: { node: '22.18.0' } } }],
    ['another runtime that says it is an old Node', { ...newer, process: { versions: { node: '20.0.0' } } }],
    ['a browser', newer],
  ] as const)('lets pass %s', ([, surroundings]) => {
    expect(() => requireNode(surroundings)).not.toThrow();
  });
});
