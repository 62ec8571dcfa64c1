import { resolve } from 'node:path';
import type { A2AServer } from '../../a2a-server.ts';
import { cleanLine } from '../text/clean.ts';
import { UsageError } from '../usage-error.ts';
import { FileWatch } from './file-watch.ts';
import { shortened } from './module-problem.ts';
import { type ServeSettings, settingOf } from './settings/serve-settings.ts';

/** The files of a server with TLS, as paths that do not depend on the folder; undefined for plain HTTP. */
export function tlsOf(settings: ServeSettings, cwd: string): TlsFiles | undefined {
  const [cert, key, ca] = ['tls.cert', 'tls.key', 'tls.ca'].map((name) => settingOf<string>(settings, name));
  if (cert === undefined && key === undefined && ca === undefined) return undefined;
  if (cert === undefined) throw new UsageError('TLS needs --tls-cert FILE, the certificate of the server');
  if (key === undefined) throw new UsageError('TLS needs --tls-key FILE, the private key of the certificate');
  const path = (file: string) => shortened(resolve(cwd, file), process.cwd());
  return { cert: path(cert), key: path(key), ...(ca !== undefined && { ca: path(ca) }) };
}

export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
}

/** A problem with certificates in the words of the command line. */
export function inOptions(text: string): string {
  return text.replace(/\btls\.(cert|key|ca)\b/g, '--tls-$1');
}

/**
 * Takes up certificates that are renewed while the server runs, until the returned function is called. One that cannot be used
 * is told of, and the one before stays: a certificate and its key do not change in the same moment.
 */
export function followCertificates(server: A2AServer, tls: TlsFiles, tell: (news: string) => void): () => void {
  const files = [tls.cert, tls.key, ...(tls.ca === undefined ? [] : [tls.ca])].map((file) => resolve(file));
  const watch = new FileWatch(files);
  const follow = async () => {
    while ((await watch.next()) !== undefined) {
      try {
        await server.renewTls(tls);
        tell('The certificate was renewed.');
      } catch (error) {
        const problem = inOptions(error instanceof Error ? error.message : String(error));
        tell(`${cleanLine(problem)}. The certificate before it stays in use.`);
      }
    }
  };
  void follow();
  return () => watch.close();
}
