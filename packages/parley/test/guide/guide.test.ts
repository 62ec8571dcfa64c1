import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../setup/support/repository.ts';
import { freePort } from '../support/http/free-port.ts';
import { GUIDE, readGuide, type Step } from './support/guide.ts';
import { type Internet, startInternet } from './support/internet.ts';
import { environmentOn, killLeftovers, packAll, Translation } from './support/machine.ts';
import { readNginx } from './support/nginx.ts';
import { type Registry, startRegistry } from './support/registry.ts';
import { assertStarted, Foreground, Shell } from './support/shell.ts';
import { assertShown } from './support/shown.ts';

const EXAMPLE = join(ROOT, 'examples/guarded');
const steps = readGuide();
const titleOf = ({ text }: Step) => text.split('\n')[0]?.slice(0, 80);

/** A reader who follows the guide from its first line to its last, on an empty machine with Node. */
describe(GUIDE, () => {
  const machine = join(tmpdir(), `parley-guide-${process.pid}`);
  const project = join(machine, 'greeter');
  let registry: Registry;
  let internet: Internet;
  let translation: Translation;
  let env: NodeJS.ProcessEnv;
  let shell: Shell;
  let server: Foreground | undefined;

  beforeAll(async () => {
    mkdirSync(machine);
    const [packed, port, tlsPort] = await Promise.all([packAll(join(machine, 'packing')), freePort(), freePort()]);
    registry = await startRegistry(packed);
    translation = new Translation(machine, { '4000': port, '8443': tlsPort });
    const nginx = readFileSync(join(EXAMPLE, 'nginx.conf'), 'utf8');
    internet = await startInternet(readNginx(translation.toHere(nginx)));
    env = { ...environmentOn(machine), ...internet.env, npm_config_registry: registry.url };
    shell = new Shell({ cwd: machine, env });
  });

  afterAll(() => {
    shell?.close();
    server?.kill();
    killLeftovers(machine);
    registry?.close();
    internet?.close();
    rmSync(machine, { recursive: true, force: true });
  });

  it.for(
    steps.map((step, index) => ({ index, title: titleOf(step), step })),
  )('step $index works as it stands: $title', async ({ step }) => {
    switch (step.kind) {
      case 'session':
        throw new Error(
          `${step.page}:${step.line} is a block of commands with their output, which only other pages have`,
        );
      case 'file':
        expect(step.text, `${step.page}:${step.line}`).toBe(readFileSync(join(EXAMPLE, step.name), 'utf8'));
        writeFileSync(join(project, step.name), translation.toHere(step.text));
        break;
      case 'run': {
        const isForGood = /\b(sudo|docker)\b/.test(step.text);
        if (isForGood) await server?.stop();
        const output = translation.toGuide(await shell.run(translation.toHere(step.text)));
        if (step.seen !== undefined) assertShown(output, step.seen);
        else expect(output, `${step.page}:${step.line}`).toBe('');
        break;
      }
      case 'serve': {
        await server?.stop();
        const started = new Foreground(translation.toHere(step.text), { cwd: project, env });
        server = started;
        await assertStarted(started, step.seen, (output) => translation.toGuide(output));
        expect(started.hasEnded).toBe(false);
        break;
      }
    }
  });

  it('has servers that stop in order: nothing is left to recover, and the log has no error', () => {
    const log = readFileSync(join(machine, 'run/greeter.log'), 'utf8');
    expect(log.match(/^Listening on /gm)).toHaveLength(2);
    expect(log.replace(/^(Listening on|\[parley\] A credential was refused) .*\n/gm, '')).toBe('');
    for (const folder of ['var/lib/greeter', 'images/greeter/last/data']) {
      expect(readdirSync(join(machine, folder)).filter((name) => !name.endsWith('lock'))).toEqual(['tasks.db']);
    }
  });
});
