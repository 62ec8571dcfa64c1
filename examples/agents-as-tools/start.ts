import { A2AClient, type ClientInterceptor, serve, textOf } from 'parley-a2a';
import { analyst } from '../agents/index.ts';
import { createWriter } from './writer.ts';

/** Shows on the console who says what to whom. */
function narrate(from: string, to: string): ClientInterceptor {
  return async (call, next) => {
    if ('message' in call.input) console.log(`${from} -> ${to}: ${textOf(call.input.message)}`);
    return next(call);
  };
}

// Two servers, as if they were run by different people. The writer knows the analyst by its address alone.
const analystServer = await serve(analyst, { port: 0 });
const remote = await A2AClient.connect(analystServer.url ?? '', { interceptors: [narrate('writer', 'analyst')] });

const tool = remote.asTool();
console.log(`The writer has a tool: ${tool.name}. ${tool.description}\n`);

const writerServer = await serve(createWriter(tool), { port: 0 });
const writer = await A2AClient.connect(writerServer.url ?? '', { interceptors: [narrate('you', 'writer')] });

try {
  const comparison = await writer.run(process.argv.slice(2).join(' ') || 'Compare Q3 and Q4');
  console.log(`\n${comparison}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

await writerServer.close();
await analystServer.close();
