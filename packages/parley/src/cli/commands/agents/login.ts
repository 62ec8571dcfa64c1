import type { Command } from '../../command.ts';
import { agentUrl } from '../../connect/connect.ts';
import { EXIT } from '../../exit-codes.ts';
import { logIn } from '../../login/login.ts';
import { TokenFiles } from '../../login/token-file.ts';
import { CALL_OPTIONS, type OptionName } from '../../options.ts';
import { Screen } from '../../show/screen.ts';
import { Interruption } from '../../turn/interruption.ts';

/** A login makes a token, and waits for a person. */
const NOT_FOR_LOGINS: readonly OptionName[] = ['token', 'timeout'];

export const login: Command = {
  name: 'login',
  parameters: 'URL',
  summary: 'log in at the authorization server of an agent, and keep the token for its origin',
  details:
    'Opens or prints the page of the authorization server, or prints a code to type on any device. The token is ' +
    'kept in the configuration folder, in a file for this origin that only you can read. Commands that call ' +
    'agents at this origin send it, and renew it when it is due. --token and PARLEY_TOKEN win over it.',
  words: [1, 1],
  optionHelp: { scope: 'ask for this scope; repeatable' },
  options: ['flow', 'scope', 'client-id', 'issuer', ...CALL_OPTIONS.filter((name) => !NOT_FOR_LOGINS.includes(name))],
  examples: [
    'login agents.example.com',
    'login agents.example.com --flow device',
    'login agents.example.com --scope report:write --client-id reports',
  ],

  async run({ positionals: [url = ''], options }, surroundings) {
    const screen = new Screen(surroundings, options.json);
    const interruption = new Interruption(surroundings, screen);
    let origin: string;
    try {
      origin = await logIn({ url, options, surroundings, screen, interruption });
    } finally {
      interruption.release();
    }
    const [grant] = new TokenFiles(surroundings.env).read(origin);
    if (screen.json) screen.object({ origin, issuer: grant?.issuer, scopes: grant?.scopes });
    screen.note(`You are logged in at ${origin}. Log out with: ${surroundings.program} logout ${origin}`);
    return EXIT.done;
  },
};

export const logout: Command = {
  name: 'logout',
  parameters: 'URL',
  summary: 'forget the token that is kept for the origin of an agent',
  words: [1, 1],
  options: ['json'],
  examples: ['logout agents.example.com'],

  async run({ positionals: [url = ''], options }, surroundings) {
    const screen = new Screen(surroundings, options.json);
    const { origin } = new URL(agentUrl(url));
    new TokenFiles(surroundings.env).write(origin, []);
    if (screen.json) screen.object({ origin, loggedOut: true });
    screen.note(`No token is kept for ${origin}.`);
    return EXIT.done;
  },
};
