import type { Command } from '../../command.ts';
import { wholeNumber } from '../../options.ts';

const DEFAULT_PORT = 4040;

export const listen: Command = {
  name: 'listen',
  parameters: '',
  summary: 'receives webhooks and prints what comes, for development',
  details:
    'Prints the address to register and how to do so, then one line for each notification. With --secret, --public-key or ' +
    '--jwks only those are taken that are signed by one of them; without, all are, and nothing is checked. What was seen ' +
    'before is marked. Ctrl-C stops it.',
  words: [0, 0],
  options: ['port', 'host', 'secret', 'public-key', 'jwks', 'json'],
  examples: ['listen', 'listen --port 0 --json', 'listen --jwks http://localhost:4000/.well-known/jwks.json'],

  async run({ options }, surroundings) {
    const port = options.port === undefined ? DEFAULT_PORT : wholeNumber('port', options.port, 0, 65_535);
    // Only who listens needs the receiving half.
    const { listenForPushes } = await import('../../listen/listening.ts');
    return listenForPushes(port, options, surroundings);
  },
};
