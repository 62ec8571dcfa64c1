import { resolve } from 'node:path';
import { type Examination, examineFile } from '../../stores/sqlite/care/examine.ts';
import { type SalvageReport, salvageFile } from '../../stores/sqlite/care/salvage/salvage.ts';
import { EXIT } from '../exit-codes.ts';
import type { Screen } from '../show/screen.ts';
import { counted, size } from '../text/amounts.ts';
import { commandLine } from '../text/shell.ts';
import { bodiesOf, judgeTask } from './fold-check.ts';
import type { DbTask } from './run-db.ts';

/** Examines a file, and saves what can be saved where that is asked for. Returns 1 if anything is wrong. */
export function verify({ words: [file = ''], options: { salvage }, screen, surroundings }: DbTask): number {
  const { cwd, program } = surroundings;
  screen.step(`looking at the pages of ${file}…`);
  const found = named(examineFile(resolve(cwd, file), judging(file, screen)), resolve(cwd, file), file);
  screen.idle();
  if (!screen.json) showExamination(file, found, screen);
  if (salvage !== undefined) screen.step(`saving what can be read into ${salvage}…`);
  const saved = salvage === undefined ? undefined : salvageFile(resolve(cwd, file), resolve(cwd, salvage), bodiesOf);
  const after =
    saved && salvage !== undefined ? examineFile(resolve(cwd, salvage), judging(salvage, screen)) : undefined;
  screen.idle();
  const isSound = found.faults.length === 0;
  if (screen.json) {
    const report = saved && { file: salvage, ...saved, isSound: after?.faults.length === 0 };
    screen.object({ file, isSound, ...found, ...(report && { salvage: report }) });
  } else if (saved && salvage !== undefined) {
    showSaved(salvage, saved, screen);
  } else if (!isSound) {
    const advice = commandLine(program, 'db', 'verify', file, '--salvage', 'NEW');
    screen.note(`Restore a backup, or save what can be read into a new file: ${advice}`);
  }
  for (const { problem } of after?.faults ?? []) screen.note(`${salvage} is not sound: ${problem}`);
  return isSound ? EXIT.done : EXIT.failed;
}

/** Judges tasks, and shows how many were. */
function judging(file: string, screen: Screen): typeof judgeTask {
  let tasks = 0;
  return (task) => {
    tasks += 1;
    screen.step(`reading ${file}: ${counted(tasks, 'task')}`);
    return judgeTask(task);
  };
}

/** Names the file in problems as it was written. */
function named(found: Examination, path: string, file: string): Examination {
  const faults = found.faults.map((fault) => ({ ...fault, problem: fault.problem.replaceAll(path, file) }));
  return { ...found, faults };
}

function showExamination(file: string, { faults, schema, tasks, events, bytes }: Examination, screen: Screen): void {
  for (const { check, problem } of faults) screen.write(`FAULT ${check}: ${problem}\n`);
  const read = `${counted(tasks, 'task')} and ${counted(events, 'event')} were read, ${size(bytes)}, schema ${schema}`;
  const verdict = faults.length === 0 ? 'is sound' : `is damaged (${counted(faults.length, 'fault')})`;
  screen.write(`${file} ${verdict}: ${read}.\n`);
}

function showSaved(name: string, saved: SalvageReport, screen: Screen): void {
  const { tasks, events, shortened, rebuilt, lostLogs, damagedTables } = saved;
  screen.write(`${name} has ${counted(tasks, 'task')} and ${counted(events, 'event')} that could be read.\n`);
  if (shortened.length > 0) {
    screen.write(
      `${counted(shortened.length, 'task')} of them lost events; messages and artifacts that could be read are there:\n`,
    );
    for (const id of shortened) screen.write(`  ${id}\n`);
  }
  if (rebuilt > 0)
    screen.write(`${counted(rebuilt, 'task')} of them had to be made anew from an index and their events.\n`);
  if (lostLogs > 0)
    screen.write(`${counted(lostLogs, 'log')} could be read, but not whose they are; they are left out.\n`);
  if (damagedTables.length > 0) screen.write(`Rows were lost from: ${damagedTables.join(', ')}.\n`);
}
