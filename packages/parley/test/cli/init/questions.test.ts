import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readJson, temporaryFolder } from '../../setup/support/repository.ts';
import { CTRL_C, ENTER, startInTerminal } from '../support/terminal.ts';

function folderOfTest(): string {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  return folder;
}

it('asks in a terminal for what no option says', async () => {
  const folder = join(folderOfTest(), 'asked');
  const terminal = startInTerminal(['init', folder]);
  await terminal.shows('basic', 'llm', 'express', 'next', 'Template', '›');
  terminal.type(`expres${ENTER}`);
  await terminal.shows('did you mean express?', 'Template', '›');
  terminal.type(`3${ENTER}`);
  await terminal.shows('Install packages now?', '›');
  terminal.type(`maybe${ENTER}`);
  await terminal.shows('Please answer yes or no.', '›');
  terminal.type(`n${ENTER}`);
  await terminal.shows('Make it a git repository?', '›');
  terminal.type(`no${ENTER}`);
  await terminal.shows('template express');
  expect((await terminal.ended).code).toBe(0);
  expect(readJson(folder, 'package.json').dependencies).toHaveProperty('express');
  expect(existsSync(join(folder, '.git'))).toBe(false);
});

it('makes nothing where the person leaves', async () => {
  const folder = folderOfTest();
  const terminal = startInTerminal(['init', join(folder, 'left')]);
  await terminal.shows('Template', '›');
  terminal.type(CTRL_C);
  await terminal.shows('Nothing was made');
  expect((await terminal.ended).code).toBe(130);
  expect(readdirSync(folder)).toEqual([]);
});
