import type { A2AServerOptions } from 'parley-a2a';
import { apiKeys, hashKey, jwt } from 'parley-a2a/auth';
import { type Headers, ISSUER, type Proof, TRUSTED_KEY } from '../attack/support/victim.ts';
import { AUDIENCE, tokenOf } from '../auth/support/issuer.ts';

/** Somebody with credentials of a tenant; '' for credentials of none. */
export interface Member {
  readonly name: string;
  readonly tenant: string;
  readonly scopes?: readonly string[];
}

const keyOf = ({ name, tenant, scopes = [] }: Member) =>
  `key-of-${name}-in-${tenant}-${scopes.join('-')}-0123456789abcdef`;

/** The headers that prove who calls, and for which tenant. */
export async function memberProof(member: Member, proof: Proof): Promise<Headers> {
  if (proof === 'API key') return { 'x-api-key': keyOf(member) };
  const { name, tenant, scopes = [] } = member;
  const claims = { iss: ISSUER, sub: name, scope: scopes.join(' '), ...(tenant !== '' && { org: tenant }) };
  return { authorization: `Bearer ${await tokenOf(TRUSTED_KEY, claims)}` };
}

/** The authenticators that know the members. */
export async function authOf(members: readonly Member[]): Promise<NonNullable<A2AServerOptions['auth']>> {
  const keys = await Promise.all(
    members.map(async (member, index) => ({
      id: `k-${index}`,
      hash: await hashKey(keyOf(member)),
      subject: member.name,
      scopes: member.scopes ?? [],
      ...(member.tenant !== '' && { tenant: member.tenant }),
    })),
  );
  const issued = { issuer: ISSUER, audience: AUDIENCE, jwks: { keys: [TRUSTED_KEY.jwk] } };
  return [apiKeys({ keys }), jwt({ ...issued, tenant: ({ org }) => (typeof org === 'string' ? org : '') })];
}
