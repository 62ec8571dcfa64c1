import { isPlainObject, type JsonObject } from '../../model/basics/json.ts';
import type { Identity } from './authenticator.ts';

/** The longest subject that is taken, in characters. */
const LONGEST_SUBJECT = 1024;

/** Characters that would let a subject pretend to be a second line of a log, or to be another subject. */
const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u;

/** Why a subject cannot be used; undefined if it can. */
export function subjectProblem(subject: unknown): string | undefined {
  if (typeof subject !== 'string' || subject === '') return 'there is no subject';
  if (subject.length > LONGEST_SUBJECT) return `the subject has more than ${LONGEST_SUBJECT} characters`;
  if (UNPRINTABLE.test(subject)) return 'the subject has control characters';
  return undefined;
}

/** The longest name of a tenant, in characters. */
const LONGEST_TENANT = 1024;

/** Why a text cannot be the tenant of a caller; undefined if it can. */
export function tenantProblem(tenant: unknown): string | undefined {
  if (typeof tenant !== 'string' || tenant === '') return 'there is no tenant';
  if (tenant.length > LONGEST_TENANT) return `the tenant has more than ${LONGEST_TENANT} characters`;
  if (UNPRINTABLE.test(tenant) || !tenant.isWellFormed()) return 'the tenant has control characters';
  return undefined;
}

/** An identity that came from a user's function; throws for other values. Frozen, because it may be shared by requests. */
export function checkedIdentity(value: unknown): Identity {
  if (!isPlainObject(value)) throw new TypeError('An identity must be an object with a subject');
  const { subject, tenant, scopes = [], claims = {} } = value;
  const problem = subjectProblem(subject);
  if (problem !== undefined) throw new TypeError(`The identity cannot be used: ${problem}`);
  // '' says that the caller belongs to none.
  const ofTenant = tenant === undefined || tenant === '' ? undefined : tenantProblem(tenant);
  if (ofTenant !== undefined) throw new TypeError(`The identity cannot be used: ${ofTenant}`);
  if (!isTexts(scopes)) throw new TypeError('The scopes of an identity must be a list of strings');
  if (!isPlainObject(claims)) throw new TypeError('The claims of an identity must be an object');
  return Object.freeze({
    subject: subject as string,
    ...(tenant !== undefined && tenant !== '' && { tenant: tenant as string }),
    scopes: Object.freeze([...scopes]),
    claims: frozen(claims as JsonObject),
  });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Freezes JSON to its leaves. The input is bounded by the length of a credential. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) frozen(member);
  return value;
}
