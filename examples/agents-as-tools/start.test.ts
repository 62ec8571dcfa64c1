import { expect, it } from 'vitest';
import { runScript } from '../../packages/parley/test/setup/support/programs.ts';

it('has a writer that asks the analyst for its facts [seed:S3.9]', async () => {
  const { code, stdout, stderr } = await runScript('example:tools');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const [conversation = '', comparison = ''] = stdout.split('\n\n# ');
  expect(conversation).toContain('The writer has a tool: analyst. Computes the sales figures');
  expect(conversation.split('\n').slice(-3)).toEqual([
    'you -> writer: Compare Q3 and Q4',
    'writer -> analyst: How did Q3 go?',
    'writer -> analyst: How did Q4 go?',
  ]);
  expect(comparison).toMatch(/^Q3 and Q4\n\nIn Q3 2025, .*\n\nIn Q4 2025, .*\n\n$/);
});

it('goes on where the tool does not know', async () => {
  const { code, stdout } = await runScript('example:tools', 'Compare Q3 and Q4 1999');
  expect(code).toBe(0);
  expect(stdout).toContain('In Q3 2025, ');
  expect(stdout).toContain('Nothing is known about Q4 1999. The task is rejected: There are no sales for Q4 1999.');
});

it('says what is wrong with a message', async () => {
  const { code, stderr } = await runScript('example:tools', 'Hello');
  expect(code).toBe(1);
  expect(stderr).toBe('The task is rejected: Which quarters? For example: Compare Q3 and Q4\n');
});
