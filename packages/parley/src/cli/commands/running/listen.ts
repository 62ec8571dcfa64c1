import type { Command } from '../../command.ts';
import { wholeNumber } from '../../options.ts';

const DEFAULT_PORT = 4040;

export const listen: Command = {
  name: 'listen',
  parameters: '',
  summary: 'receive webhooks and print them, for development',
  details:
    'Prints the address to register and how to register it, then one line per notification. With --secret, ' +
    '--public-key or --jwks it takes only notifications that one of them signed; otherwise it takes all and ' +
    'checks nothing. It marks notifications that it has seen before. Ctrl-C stops it.',
  words: [0, 0],
  optionHelp: { port: 'listen on this port (4040); 0 picks a free one' },
  options: ['port', 'host', 'secret', 'public-key', 'jwks', 'json'],
  examples: ['listen', 'listen --port 0 --json', 'listen --jwks http://localhost:4000/.well-known/jwks.json'],

  async run({ options }, surroundings) {
    const port = options.port === undefined ? DEFAULT_PORT : wholeNumber('port', options.port, 0, 65_535);
    // Only who listens needs the receiving half.
    const { listenForPushes } = await import('../../listen/listening.ts');
    return listenForPushes(port, options, surroundings);
  },
};
