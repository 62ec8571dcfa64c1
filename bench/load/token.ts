import { createHmac } from 'node:crypto';

/** The shared secret, issuer and audience of the tokens that callers have in the workload with JWTs. */
export const TOKENS = {
  issuer: 'https://login.example.com/',
  audience: 'https://agents.example.com',
  secret: 'the shared secret of the benchmark, which is no secret',
} as const;

const LIFETIME_SECONDS = 24 * 3600;

/** The header line with a token of the size that issuers make. */
export function authorizationLine(subject: string): string {
  const { issuer, audience, secret } = TOKENS;
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, aud: audience, sub: subject, scope: 'report:read report:write', iat: now };
  const content = [
    { alg: 'HS256', typ: 'JWT' },
    { ...claims, exp: now + LIFETIME_SECONDS, email: 'caller@example.com' },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = createHmac('sha256', secret).update(content).digest('base64url');
  return `authorization: Bearer ${content}.${signature}\r\n`;
}
