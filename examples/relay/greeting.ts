/** What a person sees who starts the relay: where it is, and a command for each of two terminals. */
export function greeting(url: string, database: string): string {
  return `
The relay is listening on ${url}

  watch     ${url}/
  card      ${url}/.well-known/agent-card.json
  talks     ${database === 'memory' ? 'in memory; nothing is kept' : `kept in ${database}`}

In each of two terminals, to be the two sides of the pair "tea" (${url}/pairs/tea):

npm run -s parley -- chat ${url} --context tea

PORT, HOST and PARLEY_DB choose another port, address and file. Stop with Ctrl+C.
`;
}
