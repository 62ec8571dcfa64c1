// The server that is soaked: node --conditions=parley-source server-process.ts <file>. It tells its parent where it listens,
// and what it holds whenever it is asked.
import { A2AServer } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { writeComplaint } from '../../crash/check/complaints.ts';
import { SPEAKERS_MOUNTS } from '../../support/speakers.ts';
import { authenticators } from '../callers.ts';
import { soakAgent } from './agent.ts';
import { openConnections, takeFigures } from './figures.ts';
import type { Asked, Told } from './subject.ts';

const server = new A2AServer({
  agents: [soakAgent()],
  store: sqlite(process.argv[2] ?? ''),
  mounts: SPEAKERS_MOUNTS,
  auth: await authenticators(),
  push: {
    allow: ['127.0.0.0/8'],
    retry: { firstDelay: 10, longestDelay: 500, pauseAfter: 1_000_000 },
    concurrency: { perHost: 64 },
  },
  // Small caches, so that they are full after the warm-up; runs that wait leave the memory soon.
  limits: { finishedBytes: 1_000_000, waitingBytes: 1_000_000, parkAfter: 2_000, resumes: 1_000_000 },
  drainTimeout: 300,
  log: { warn: writeComplaint, error: writeComplaint },
});
await server.listen({ port: 0 });

const tell = (told: Told) => process.send?.(told);
process.on('message', (asked: Asked) =>
  tell(asked === 'figures' ? { figures: takeFigures() } : { connections: openConnections() }),
);
process.on('disconnect', () => process.exit());
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
tell({ url: server.url });
