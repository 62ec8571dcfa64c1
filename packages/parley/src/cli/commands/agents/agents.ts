import { listAgents } from '../../../cards/catalog/list-agents.ts';
import type { ListedAgent } from '../../../cards/catalog/read-catalog.ts';
import type { Command } from '../../command.ts';
import { agentUrl, catalogSettings } from '../../connect/connect.ts';
import { EXIT } from '../../exit-codes.ts';
import { agentTable } from '../../show/agent-table.ts';
import { Screen } from '../../show/screen.ts';
import { counted } from '../../text/amounts.ts';
import { cleanLine } from '../../text/clean.ts';
import { Interruption } from '../../turn/interruption.ts';

export const agents: Command = {
  name: 'agents',
  parameters: 'URL',
  summary: 'list the agents of a host, from its catalog',
  details:
    'In a pipe, prints one line per agent: name, version, address of its card and description, separated by ' +
    'tabs. With --json, every agent is a line. Token and headers go to this host as they are, and to no other.',
  words: [1, 1],
  options: ['json', 'token', 'header', 'timeout'],
  examples: ['agents localhost:4000', 'agents agents.example.com --json'],

  async run({ positionals: [url = ''], options }, surroundings) {
    const screen = new Screen(surroundings, options.json);
    const interruption = new Interruption(surroundings, screen);
    try {
      screen.busy(`asking ${agentUrl(url)}…`);
      const settings = catalogSettings(options, surroundings.env);
      const found = await listAgents(agentUrl(url), { ...settings, signal: interruption.signal });
      screen.idle();
      if (screen.json) for (const agent of found.agents) screen.object(agent);
      else if (screen.isShown && found.agents.length > 0) {
        screen.write(`${agentTable(found.agents, screen.style, screen.columns).join('\n')}\n`);
      } else for (const agent of found.agents) screen.write(`${line(agent)}\n`);
      for (const problem of found.problems) screen.note(`! ${cleanLine(problem)}`);
      if (found.agents.length === 0) screen.hint('There are no agents that you may see.');
      if (found.others > 0)
        screen.hint(`${counted(found.others, 'entry', 'entries')} of the catalog left out: no agents of A2A.`);
      return EXIT.done;
    } finally {
      screen.idle();
      interruption.release();
    }
  },
};

function line({ displayName, version = '', url, description = '' }: ListedAgent): string {
  return [displayName, version, url, description].map(cleanLine).join('\t');
}
