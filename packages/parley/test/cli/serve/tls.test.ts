import { chmodSync, copyFileSync, readFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { get, request } from 'node:https';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../setup/support/repository.ts';
import { eventually } from '../../support/eventually.ts';
import { tempFile } from '../../support/temp-folder.ts';
import { complete, type Running, start } from '../support/child.ts';

const AGENT = `import { defineAgent } from ${JSON.stringify(join(ROOT, 'packages/parley/src/index.ts'))};
export default defineAgent({
  name: 'teller', description: 'Tells who calls', version: '1.0.0',
  run: ({ user }: { readonly user: { readonly subject: string } }) => user.subject || 'nobody',
});
`;
const GOOD = join(import.meta.dirname, '../../auth/support/tls');
const MADE = join(import.meta.dirname, '../../adapters/support/tls');
/** Each command is a process of its own, which takes its time on a busy machine. */
const SLOW = { timeout: 180_000 };
const CA = { NODE_EXTRA_CA_CERTS: join(GOOD, 'ca.pem') };

/** A folder with an agent and a certificate for localhost. */
function folderOfTest(): string {
  const folder = dirname(tempFile());
  writeFileSync(join(folder, 'agent.ts'), AGENT);
  for (const name of ['server.pem', 'server.key', 'ca.pem']) copyFileSync(join(GOOD, name), join(folder, name));
  for (const name of ['expired.pem', 'expired.key']) copyFileSync(join(MADE, name), join(folder, name));
  return folder;
}

const SERVE = ['serve', 'agent.ts', '--port', '0', '--tls-cert', 'server.pem', '--tls-key', 'server.key'];

function listening(running: Running): Promise<string> {
  return running.until((stdout) => /listening on (\S+).*Stop with Ctrl\+C/s.exec(stdout)?.[1], 'a greeting');
}

describe('serve --tls-cert --tls-key', () => {
  it('serves HTTPS', SLOW, async () => {
    const running = start(SERVE, { cwd: folderOfTest() });
    const url = await listening(running);
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await complete(['send', url, 'Who am I?'], undefined, { env: CA })).toMatchObject({ code: 0, stderr: '' });
    const distrusted = await complete(['card', url]);
    expect([distrusted.code, distrusted.stderr]).toEqual([3, expect.stringContaining('NODE_EXTRA_CA_CERTS')]);
    const plain = await complete(['card', url.replace('https:', 'http:')]);
    expect([plain.code, plain.stderr]).toEqual([
      3,
      expect.stringContaining('if the server speaks TLS, write https://'),
    ]);
    running.child.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('serves HTTPS while it watches its files', SLOW, async () => {
    const running = start([...SERVE, '--watch'], { cwd: folderOfTest() });
    expect(await listening(running)).toMatch(/^https:/);
    running.child.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('puts the address of --url on cards and into the greeting', SLOW, async () => {
    const running = start(['serve', 'agent.ts', '--port', '0', '--url', 'https://agents.example.com/'], {
      cwd: folderOfTest(),
    });
    const url = await listening(running);
    expect(running.output.stdout).toContain('parley card https://agents.example.com\n');
    const card = await fetch(`${url}/.well-known/agent-card.json`, { headers: { 'a2a-version': '1.0' } });
    expect(await card.text()).toContain('"https://agents.example.com/a2a"');
  });

  it.each([
    [['--tls-cert', 'server.pem'], 2, 'TLS needs --tls-key FILE, the private key of the certificate.'],
    [['--tls-ca', 'ca.pem'], 2, 'TLS needs --tls-cert FILE, the certificate of the server.'],
    [
      ['--tls-cert', 'no.pem', '--tls-key', 'server.key'],
      1,
      '--tls-cert: there is no file no.pem; give the path of a PEM file with the certificate of the server.',
    ],
    [
      ['--tls-cert', 'server.pem', '--tls-key', 'expired.key'],
      1,
      '--tls-cert (server.pem) and --tls-key (expired.key) do not belong together: the certificate is for another key.',
    ],
    [
      ['--tls-cert', 'expired.pem', '--tls-key', 'expired.key'],
      1,
      '--tls-cert (expired.pem) expired on 2021-01-01; renew the certificate.',
    ],
    [['--url', 'agents.example.com'], 2, '--url must be a full URL such as https://agents.example.com, not "agents'],
  ])('says what is wrong in one line: %j', SLOW, async (options, code, message) => {
    const ended = await complete(['serve', 'agent.ts', '--port', '0', ...options], undefined, { cwd: folderOfTest() });
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toMatch(/^parley: .*\n$/);
    expect(ended.stderr).toContain(`parley: ${message}`);
  });

  it('says that a file may not be read', SLOW, async () => {
    const folder = folderOfTest();
    chmodSync(folder, 0o755);
    chmodSync(join(folder, 'server.key'), 0);
    const ended = await complete(SERVE, undefined, { cwd: folder, plainUser: true });
    expect(ended.stderr).toBe(
      'parley: --tls-key: this user may not read the file server.key; let the user who runs the server read it.\n',
    );
  });

  it('takes up a certificate that is renewed, and keeps the old one until the new one is whole', SLOW, async () => {
    const folder = folderOfTest();
    const running = start(SERVE, { cwd: folder });
    const url = await listening(running);
    const before = await serialOf(url);
    copyFileSync(join(MADE, 'renewed.pem'), join(folder, 'new.pem'));
    renameSync(join(folder, 'new.pem'), join(folder, 'server.pem'));
    await running.until(() => /do not belong together/.exec(running.output.stderr) ?? undefined, 'a warning');
    expect(running.output.stderr).toMatch(/^parley: --tls-cert .* The certificate before it stays in use\.\n$/);
    expect(await serialOf(url)).toBe(before);
    copyFileSync(join(MADE, 'renewed.key'), join(folder, 'server.key'));
    await running.until(() => /The certificate was renewed\.\n$/.exec(running.output.stderr) ?? undefined, 'the news');
    expect(await serialOf(url)).not.toBe(before);
  });

  it('takes up certificates that change by one link, as those of Kubernetes do', SLOW, async () => {
    const folder = folderOfTest();
    const links = ['server.pem', 'server.key'].map((name) => join(folder, name));
    for (const link of links) unlinkSync(link);
    symlinkSync(GOOD, join(folder, '..data'));
    symlinkSync('..data/server.pem', links[0] ?? '');
    symlinkSync('..data/server.key', links[1] ?? '');
    const running = start(SERVE, { cwd: folder });
    const url = await listening(running);
    const before = await serialOf(url);
    const next = dirname(tempFile());
    copyFileSync(join(MADE, 'renewed.pem'), join(next, 'server.pem'));
    copyFileSync(join(MADE, 'renewed.key'), join(next, 'server.key'));
    symlinkSync(next, join(folder, '..data_tmp'));
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    await eventually(() => serialOf(url)).not.toBe(before);
  });
});

describe('serve --tls-ca', () => {
  const cert = (name: string) => ({
    cert: readFileSync(join(GOOD, `${name}.pem`)),
    key: readFileSync(join(GOOD, `${name}.key`)),
  });

  it('tells callers by their certificates, and a server for all machines may start with it', SLOW, async () => {
    const folder = folderOfTest();
    const running = start([...SERVE, '--tls-ca', 'ca.pem', '--host', '0.0.0.0'], { cwd: folder });
    const url = await listening(running);
    expect(running.output.stdout).toContain('every machine that can reach this one, with a certificate of ca.pem\n');
    expect(await sendTo(url, cert('alice'))).toContain('CN=alice');
    expect(await sendTo(url, {})).toMatch(/Credentials are missing/);
    expect(await sendTo(url, cert('mallory'))).toMatch(/Credentials are missing/);
  });

  it('asks for both where there are keys', SLOW, async () => {
    const folder = folderOfTest();
    const made = await complete(['keys', 'create', 'ada', '--file', join(folder, 'keys.json')]);
    const key = made.stdout.trim();
    const running = start([...SERVE, '--tls-ca', 'ca.pem', '--keys', 'keys.json'], { cwd: folder });
    const url = await listening(running);
    expect(await sendTo(url, cert('alice'), { 'x-api-key': key })).toContain('"ada"');
    expect(await sendTo(url, cert('alice'))).toMatch(/Credentials are missing/);
    await expect(sendTo(url, {}, { 'x-api-key': key })).rejects.toThrow();
  });

  it('is not for a server that is open', SLOW, async () => {
    const ended = await complete([...SERVE, '--tls-ca', 'ca.pem', '--open'], undefined, { cwd: folderOfTest() });
    expect(ended).toMatchObject({
      code: 2,
      stderr: 'parley: Either --tls-ca or --open: a server lets in some or all.\n',
    });
  });
});

function serialOf(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(`${url}/healthz`, { rejectUnauthorized: false, agent: false }, (response) => {
      const { socket } = response;
      resolve('getPeerCertificate' in socket ? String((socket as TlsLike).getPeerCertificate().serialNumber) : '');
      response.resume();
    }).on('error', reject);
  });
}

interface TlsLike {
  getPeerCertificate(): { readonly serialNumber: string };
}

function sendTo(url: string, identity: object, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Who am I?' }] };
  return new Promise((resolve, reject) => {
    const all = { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers };
    const options = { method: 'POST', rejectUnauthorized: false, agent: false, headers: all, ...identity };
    const outgoing = request(`${url}/a2a`, options, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve(body));
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }));
  });
}
