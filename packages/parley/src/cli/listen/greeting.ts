import { newPushSecret } from '../../push/signature/secrets.ts';
import { commandLine } from '../text/shell.ts';

interface Listening {
  readonly url: string;
  /** Signatures are checked. */
  readonly checks: boolean;
  /** By a secret, which is the token of the config. */
  readonly hasSecret: boolean;
  readonly program: string;
}

/** The greeting of a receiver: its address, and how agents are told of it. */
export function greeting({ url, checks, hasSecret, program }: Listening): string {
  const token = hasSecret ? ', "token": "WHSEC"' : '';
  const config = `{"taskId": "TASK", "url": "${url}"${token}}`;
  const call = `{"jsonrpc": "2.0", "id": 1, "method": "CreateTaskPushNotificationConfig", "params": ${config}}`;
  const secret = newPushSecret();
  const signed = `To have signatures checked, stop this, start it with a secret, and give that as the config's token:
${commandLine(program, 'listen', '--secret', secret)}`;
  return `Listening for webhooks on ${url}

Tell an agent of it, here for one of its tasks (an agent on another machine cannot reach this address):
curl -s http://127.0.0.1:4000/a2a -H 'content-type: application/json' -H 'a2a-version: 1.0' -d '${call}'

${checks ? 'Only notifications with a right signature are taken.' : `Nothing is checked. ${signed}`}

Stop with Ctrl+C.
`;
}
