import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../setup/support/repository.ts';
import { tempFile } from '../support/temp-folder.ts';
import { DIRECTIVES } from './support/directives.ts';
import { isSent, readDockerfile } from './support/dockerfile.ts';
import { readGuide } from './support/guide.ts';
import { readNginx } from './support/nginx.ts';
import { environmentOf, readUnit, valuesOf } from './support/unit-file.ts';

const FOLDER = join(ROOT, 'examples/guarded');
const fileOf = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
const has = (tool: string) => spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0;

/** A limit in server.ts, which is a product of numbers. */
function limitOf(name: string): number {
  const product = new RegExp(`\\b${name}: ([\\d_ *]+),`).exec(fileOf('server.ts'))?.[1] ?? '';
  return product.split('*').reduce((all, factor) => all * Number(factor.replaceAll('_', '')), 1);
}

it('examples/guarded has the files of the guide and no others', () => {
  const named = readGuide().flatMap((step) => (step.kind === 'file' ? [step.name] : []));
  expect(readdirSync(FOLDER).sort()).toEqual([...named].sort());
});

describe('the unit of systemd', () => {
  const unit = readUnit(fileOf('greeter.service'));
  const service = (name: string) => valuesOf(unit, 'Service', name);

  it.each(['greeter.service', 'tls.conf'])('%s has directives that systemd knows', (file) => {
    for (const [section, lines] of readUnit(fileOf(file))) {
      const unknown = lines.map(([name]) => name).filter((name) => !DIRECTIVES[section]?.includes(name));
      expect(unknown, section).toEqual([]);
    }
  });

  it.skipIf(!has('systemd-analyze'))('is verified by systemd, alone and with TLS (skipped without systemd)', () => {
    for (const isWithTls of [false, true]) {
      const folder = dirname(tempFile());
      // The Node of the machine may be elsewhere, or missing.
      writeFileSync(
        join(folder, 'greeter.service'),
        fileOf('greeter.service').replace('/usr/bin/node', process.execPath),
      );
      if (isWithTls) {
        mkdirSync(join(folder, 'greeter.service.d'));
        writeFileSync(join(folder, 'greeter.service.d/tls.conf'), fileOf('tls.conf'));
      }
      const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, 'greeter.service')], {
        encoding: 'utf8',
        env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
      });
      // Other units of the machine are looked at too, and may have mistakes of their own.
      const ours = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('greeter'));
      expect({ status, ours }).toEqual({ status: 0, ours: [] });
    }
  });

  it('gives the server its own user and folder, and nothing else', () => {
    for (const name of ['DynamicUser', 'NoNewPrivileges', 'ProtectHome', 'PrivateTmp', 'PrivateDevices']) {
      expect(service(name), name).toEqual(['yes']);
    }
    expect(service('ProtectSystem')).toEqual(['strict']);
    expect(service('CapabilityBoundingSet')).toEqual(['']);
    const [folder] = service('StateDirectory');
    expect(environmentOf(unit)).toMatchObject({ DATA: `/var/lib/${folder}`, HOST: '127.0.0.1' });
    // V8 compiles while it runs.
    expect(service('MemoryDenyWriteExecute')).toEqual([]);
  });

  it('lets runs finish before it ends the process', () => {
    expect(limitOf('drainTimeout')).toBe(10_000);
    expect(Number(service('TimeoutStopSec')[0]) * 1000).toBeGreaterThan(limitOf('drainTimeout'));
    expect(service('Restart')).toEqual(['on-failure']);
  });
});

describe('the Dockerfile', () => {
  const instructions = readDockerfile(fileOf('Dockerfile'));
  const all = (name: string) => instructions.filter((one) => one.name === name);
  const last = (name: string) => all(name).at(-1);

  it('builds in a stage of its own and runs without root', () => {
    expect(all('FROM')).toHaveLength(2);
    for (const { text } of all('FROM')) expect(text).toMatch(/^node:\d+-slim\b/);
    expect(last('USER')?.text).toBe('node');
    expect(instructions.findLastIndex(({ name }) => name === 'USER')).toBeGreaterThan(
      instructions.findLastIndex(({ name }) => name === 'RUN'),
    );
  });

  it('starts the server without a shell, which would keep SIGTERM for itself', () => {
    for (const name of ['CMD', 'HEALTHCHECK']) expect(last(name)?.text).toContain('["node", ');
    expect(last('CMD')?.words.at(-1)).toBe('server.ts');
    expect(last('STOPSIGNAL')?.text).toBe('SIGTERM');
    const run = readGuide().find(({ kind, text }) => kind === 'run' && text.includes('docker run'))?.text ?? '';
    const seconds = Number(/--stop-timeout (\d+)/.exec(run)?.[1]);
    expect(seconds * 1000).toBeGreaterThan(limitOf('drainTimeout'));
  });

  it('gets what it copies, and neither keys nor tasks', () => {
    const sent = (file: string) => isSent(file, fileOf('.dockerignore'));
    const copied = all('COPY').filter(({ options }) => options.from === undefined);
    for (const file of copied.flatMap(({ words }) => words.slice(0, -1))) expect(sent(file), file).toBe(true);
    for (const file of ['tasks.db', 'key.pem', '.env', 'node_modules', 'keys.json'])
      expect(sent(file), file).toBe(false);
  });
});

describe('the proxies', () => {
  it('nginx passes everything on, streams at once', () => {
    const { target, headers, settings } = readNginx(fileOf('nginx.conf'));
    const { HOST, PORT } = environmentOf(readUnit(fileOf('greeter.service')));
    expect(target).toBe(`http://${HOST}:${PORT}`);
    expect(Object.fromEntries(settings)).toMatchObject({
      proxy_http_version: '1.1',
      proxy_buffering: 'off',
      proxy_request_buffering: 'off',
      proxy_read_timeout: '1h',
      client_max_body_size: '16m',
    });
    expect(headers.get('host')).toBe('$host');
    expect(headers.get('x-forwarded-proto')).toBe('$scheme');
    // What clients send themselves must not pass.
    for (const name of ['host', 'prefix', 'for']) expect(headers.has(`x-forwarded-${name}`), name).toBe(true);
  });

  it.skipIf(!has('nginx'))('nginx itself takes it (skipped without nginx)', () => {
    const folder = dirname(tempFile());
    const names = join(import.meta.dirname, 'support/tls/names');
    const local = fileOf('nginx.conf')
      .replace(/(ssl_certificate) \S+;/, `$1 ${names}.pem;`)
      .replace(/(ssl_certificate_key) \S+;/, `$1 ${names}.key;`);
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\n${local}}\n`);
    const { status, stderr } = spawnSync('nginx', ['-t', '-c', file], { encoding: 'utf8' });
    expect({ status, stderr }).toMatchObject({ status: 0 });
  });

  it('Caddy passes everything on, streams at once', () => {
    expect(fileOf('Caddyfile')).toMatch(
      /^agents\.example\.com \{\n\treverse_proxy 127\.0\.0\.1:4000 \{\n\t\tflush_interval -1\n\t\}\n\}\n$/,
    );
  });

  it.skipIf(!has('caddy'))('Caddy itself takes it (skipped without caddy)', () => {
    const args = ['adapt', '--adapter', 'caddyfile', '--config', join(FOLDER, 'Caddyfile')];
    expect(spawnSync('caddy', args, { encoding: 'utf8' })).toMatchObject({ status: 0 });
  });
});
