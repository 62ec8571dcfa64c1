import { closeOnSignals } from 'parley-a2a/node';
import { sqlite } from 'parley-a2a/sqlite';
import { startDesk } from './desk.ts';

const { PORT = '4000', BOARD_PORT = '4001', PARLEY_DB = 'travel-desk.db', PARLEY_MODEL } = process.env;

try {
  const desk = await startDesk({
    port: Number(PORT),
    boardPort: Number(BOARD_PORT),
    store: sqlite(PARLEY_DB),
    hasModel: Boolean(PARLEY_MODEL),
  });
  closeOnSignals(desk);
  console.log(`The travel desk is open.

  page      ${desk.board}
  planner   ${desk.url}
  from a shell: npm run -s parley -- chat ${desk.url}

PARLEY_MODEL brings a language model that writes the plan. Stop with Ctrl+C.`);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(
    `travel-desk: ${reason.replace(/\.?$/, '.')} PORT and BOARD_PORT choose other ports, PARLEY_DB another file.`,
  );
  process.exit(1);
}
