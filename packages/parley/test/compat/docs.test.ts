import { describe, expect, it } from 'vitest';
import { blocksOf, promisedLines } from '../setup/support/documents.ts';
import { startProgram } from '../setup/support/programs.ts';

describe('docs/protocol/compat.md', () => {
  const blocks = blocksOf('docs/protocol/compat.md', 'ts');

  it('has examples', () => expect(blocks).toHaveLength(6));

  it.each(blocks)('has an example that prints what it says %#', async (block) => {
    const { code, stdout, stderr } = await startProgram(block).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const printed = stdout.split('\n');
    expect(promisedLines(block).length).toBeGreaterThan(0);
    for (const line of promisedLines(block)) expect(printed, block).toContain(line);
  });
});
