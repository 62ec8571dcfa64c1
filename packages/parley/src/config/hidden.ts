/** Stands for a secret that is set. */
export const HIDDEN = '(hidden)';

/** Everything up to the last @ in addresses of databases and buses, as a password may have an @ that is not escaped. */
const SERVICES = /\b((?:postgres(?:ql)?|nats|tls):\/\/)[^\s,"]*@/gi;
const OTHERS = /(:\/\/)[^/@\s"]*@/g;
const PARAMETERS = /([?&])([^=&\s"]{1,100})=([^&\s"]*)/g;
/** Words in the names of parameters that hold secrets. */
const SECRET_NAME = /pass|pwd|secret|token|key|sig|auth|cred/i;

/** A text as operators may see it: an address may have a password in it. */
export function withoutPasswords(text: string): string {
  if (!text.includes('://')) return text;
  return text
    .replace(SERVICES, `$1${HIDDEN}@`)
    .replace(OTHERS, `$1${HIDDEN}@`)
    .replace(PARAMETERS, (whole, sign: string, name: string) =>
      SECRET_NAME.test(name) ? `${sign}${name}=${HIDDEN}` : whole,
    );
}
