import { A2AClient, A2AServer, type A2AServerOptions } from 'parley-a2a';
import { startBoard } from './board/board.ts';
import { startFlights } from './flights/server.ts';
import { hotels } from './hotels.ts';
import { createPlanner, createWriter } from './planner.ts';

export interface DeskOptions {
  readonly port?: number | undefined;
  readonly boardPort?: number | undefined;
  readonly store?: A2AServerOptions['store'];
  /** True with a language model, which the environment names. */
  readonly hasModel?: boolean | undefined;
}

/** Starts the whole desk: the flights on a server of their own, planner and hotels on ours, and the page. */
export async function startDesk({ port = 0, boardPort = 0, store, hasModel = false }: DeskOptions = {}) {
  const flights = await startFlights();
  const writer = hasModel ? createWriter() : undefined;
  const planner = createPlanner({ flights: flights.url, writer });
  const server = new A2AServer({
    agents: [planner, hotels, ...(writer ? [writer] : [])],
    store,
    // The page wants to see the plan grow, and not only how the task stands.
    push: { events: 'all' },
  });
  await server.listen({ port });
  const url = server.url ?? '';
  const board = await startBoard(await A2AClient.connect(url), boardPort);
  return {
    url,
    board: board.url,
    async close() {
      board.close();
      await server.close();
      flights.close();
    },
  };
}
