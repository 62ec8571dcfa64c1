/** What a person sees after `npm start`: where it is and three commands that work as they stand. */
export function greeting(url: string, database: string): string {
  const call = (id: number, method: string, params: unknown) =>
    `curl -sN ${url}/a2a -H 'content-type: application/json' -H 'a2a-version: 1.0' \\\n` +
    `  -d '${JSON.stringify({ jsonrpc: '2.0', id, method, params })}'`;
  const message = (text: string) => ({ message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text }] } });
  return `
Parley is listening on ${url}   (tasks are kept in ${database})

  agents    reporter (the default), analyst, echo, lab
  card      ${url}/.well-known/agent-card.json

Try these:

1. Who is there:
curl -s ${url}/.well-known/agent-card.json

2. Ask for a report and watch it being written:
${call(1, 'SendStreamingMessage', message('Write the sales report for Q4'))}

3. See the tasks that are there:
${call(2, 'ListTasks', { pageSize: 5 })}

Stop with Ctrl+C.
`;
}
