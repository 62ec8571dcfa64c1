/** Stands for a secret that is set. */
export const HIDDEN = '(hidden)';

/** Of addresses of databases and buses everything up to the last @, as a password may have signs in it that it should not. */
const SERVICES = /\b((?:postgres(?:ql)?|nats|tls):\/\/)[^\s,"]*@/gi;
const OTHERS = /(:\/\/)[^/@\s"]*@/g;
const PARAMETERS = /([?&](?:password|sslpassword|token)=)[^&\s"]*/gi;

/** A text as operators may see it: an address may have a password in it. */
export function withoutPasswords(text: string): string {
  if (!text.includes('://')) return text;
  return text.replace(SERVICES, `$1${HIDDEN}@`).replace(OTHERS, `$1${HIDDEN}@`).replace(PARAMETERS, `$1${HIDDEN}`);
}
