import type { A2AServer } from 'parley-a2a';
import { isLoopback, type Settings } from './settings.ts';

/** What a person sees after `npm start`: where it is and three commands that work as they stand. */
export function greeting(server: A2AServer, { host, database, model }: Settings, agents: readonly string[]): string {
  const url = reachable(server.url ?? '');
  const call = (id: number, method: string, params: unknown) =>
    `curl -sN ${url}/a2a -H 'content-type: application/json' -H 'a2a-version: 1.0' \\\n` +
    `  -d '${JSON.stringify({ jsonrpc: '2.0', id, method, params })}'`;
  const message = (text: string) => ({ message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text }] } });
  const [first, ...others] = agents;
  return `
Parley is listening on ${url}

  agents    ${[`${first} (the default)`, ...others].join(', ')}
  card      ${url}/.well-known/agent-card.json
${server.consoleUrl ? `  console   ${reachable(server.consoleUrl)}\n` : ''}  metrics   ${url}/metrics
  tasks     ${database === 'memory' ? 'in memory; nothing is kept' : `kept in ${withoutPassword(database)}`}
  open to   ${isLoopback(host) ? 'this machine only' : 'every machine that can reach this one, without a password'}

Try these:

1. Who is there:
curl -s ${url}/.well-known/agent-card.json

2. Ask for a report and watch it being written:
${call(1, 'SendStreamingMessage', message('Write the sales report for Q4'))}

3. See the tasks that are there:
${call(2, 'ListTasks', { pageSize: 5 })}

PORT, HOST and PARLEY_STORE choose another port, address and file or database. ${ofModel(model)} Stop with Ctrl+C.
`;
}

function ofModel(model: string | undefined): string {
  if (model !== undefined) return `The writer uses the model ${model}.`;
  return 'PARLEY_MODEL, OPENAI_BASE_URL and OPENAI_API_KEY bring a\nwriter with a language model.';
}

/** The address of a database may have a password in it. */
function withoutPassword(place: string): string {
  return place.includes('://') ? place.replace(/\/\/.*@/, '//').replace(/\?.*$/, '') : place;
}

/** A server on all addresses is also on that of this machine. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]');
}
