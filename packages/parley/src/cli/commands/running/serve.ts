import type { Command } from '../../command.ts';
import { wholeNumber } from '../../options.ts';

export const serve: Command = {
  name: 'serve',
  parameters: '[FILE…]',
  summary: 'serve the agents that modules export',
  details:
    'A FILE is a JavaScript or TypeScript module that exports agents made by defineAgent, alone or in lists. ' +
    'The first agent is at the bare address, and each one at /a2a/agents/NAME. With --watch the server restarts ' +
    'when a file changes, unless the new version cannot be loaded; with --db as well, streams continue across ' +
    'the restart. A server that other machines can reach (--host) needs --keys, --tls-ca or --open. Settings ' +
    'can also come from parley.config.ts or parley.config.json and from the environment (PARLEY_PORT …): flags ' +
    'win over the environment, and the environment wins over the file. --print-config shows the result. If ' +
    'OTEL_… is set and @opentelemetry/sdk-node is installed, the server sends traces and metrics.',
  words: [0, Number.POSITIVE_INFINITY],
  options: [
    'port',
    'host',
    'url',
    'db',
    'store',
    'bus',
    'lease',
    'role',
    'keys',
    'open',
    'tls-cert',
    'tls-key',
    'tls-ca',
    'card-key',
    'drain-timeout',
    'config',
    'set',
    'print-config',
    'log-level',
    'log-format',
    'metrics',
    'metrics-port',
    'console',
    'no-console',
    'grpc-port',
    'watch',
    'default',
    'json',
  ],
  examples: [
    'serve agent.ts',
    'serve agents/*.ts --port 8080 --db tasks.db',
    'serve agent.ts --watch',
    'serve agent.ts --store postgres://parley:secret@db.example.com/agents --lease 5',
    'serve --config production.json --print-config',
    'serve agent.ts --host 0.0.0.0 --keys keys.json',
    'serve agent.ts --log-level info --metrics-port 9464',
    'serve agent.ts --host 0.0.0.0 --port 443 --keys keys.json --tls-cert fullchain.pem --tls-key privkey.pem',
  ],

  async run(args, surroundings) {
    const { options } = args;
    if (options.port !== undefined) wholeNumber('port', options.port, 0, 65_535);
    // Only who serves needs the server.
    if (options['print-config']) {
      const { printConfig } = await import('../../serve/settings/print-config.ts');
      return printConfig(args, surroundings);
    }
    if (options.watch) {
      const { watchFiles } = await import('../../serve/watching.ts');
      return watchFiles(args, surroundings);
    }
    const { serveFiles } = await import('../../serve/serving.ts');
    return serveFiles(args, surroundings);
  },
};
