import { closeOnSignals } from 'parley-a2a/node';
import { server } from './digests.ts';

await server.listen({ port: Number(process.env.PORT ?? '4002') });
closeOnSignals(server);
console.log(`The shouter, with its digests, is listening on ${server.url}`);
