// Stands for systemctl where there is no systemd: starts what a unit says, with the variables that it says, and stops it.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf, readUnit, valuesOf } from '../unit-file.ts';
import { MACHINE, startInBackground, stopInBackground } from './background.ts';

const [action = '', ...words] = process.argv.slice(2);
const name = words.find((word) => !word.startsWith('-')) ?? '';

switch (action) {
  case 'daemon-reload':
    break;
  case 'enable':
    if (words.includes('--now')) start();
    break;
  case 'stop':
    await stopInBackground(name);
    break;
  default:
    throw new Error(`systemctl cannot ${action} here`);
}

function start(): void {
  const unit = readUnit(readFileSync(join(MACHINE, `etc/systemd/system/${name}.service`), 'utf8'));
  for (const folder of valuesOf(unit, 'Service', 'StateDirectory')) {
    mkdirSync(join(MACHINE, 'var/lib', folder), { recursive: true, mode: 0o700 });
  }
  const [command = ''] = valuesOf(unit, 'Service', 'ExecStart');
  const [cwd = '/'] = valuesOf(unit, 'Service', 'WorkingDirectory');
  // A service sees nothing of the variables of whoever starts it.
  const env = { PATH: process.env.PATH ?? '', ...environmentOf(unit) };
  startInBackground(name, { command: command.split(' '), cwd, env });
}
