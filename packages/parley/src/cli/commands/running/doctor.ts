import type { Command } from '../../command.ts';
import { Screen } from '../../show/screen.ts';

export const doctor: Command = {
  name: 'doctor',
  parameters: '[TEXT]',
  summary: 'find what would keep a server from working, here or at --url, and say what to do',
  details:
    'Examines Node, the clock, the settings (those of serve: file, environment, flags), the port, the file or ' +
    'database of the tasks, the bus, the disk and the certificate. With --url it also examines a running ' +
    'server: whether it is ready, its certificate, its card, and whether a proxy holds back its streams, for ' +
    'which it sends TEXT to the agent (an example from its card, else Hello). Every line is OK, WARN or FAIL; ' +
    'the exit code is 1 if anything fails.',
  words: [0, 1],
  options: [
    'url',
    'port',
    'host',
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
    'config',
    'set',
    'token',
    'header',
    'timeout',
    'json',
  ],
  examples: [
    'doctor',
    'doctor --db tasks.db --port 8080',
    "doctor --url https://agents.example.com 'Write a long report'",
  ],

  async run(args, surroundings) {
    const { examine } = await import('../../doctor/examine.ts');
    const { exitCodeOf, showFinding } = await import('../../doctor/finding.ts');
    const screen = new Screen(surroundings, args.options.json);
    const findings = [];
    for await (const finding of examine(args, surroundings)) {
      findings.push(finding);
      showFinding(finding, screen);
    }
    return exitCodeOf(findings);
  },
};
