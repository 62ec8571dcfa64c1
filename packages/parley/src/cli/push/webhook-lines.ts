import { isPlainObject } from '../../model/basics/json.ts';
import { age } from '../text/amounts.ts';
import { cleanLine } from '../text/clean.ts';

/** A webhook as the operators' part of a server shows it. */
type ShownWebhook = Readonly<Record<string, unknown>>;

export function webhooksIn(body: unknown): readonly ShownWebhook[] {
  if (!isPlainObject(body)) return [];
  return Array.isArray(body.webhooks) ? body.webhooks.filter(isPlainObject) : [body];
}

/** One line: standing, task, config, URL, failures, last error, next try; with tabs in between. */
export function webhookLine(webhook: ShownWebhook): string {
  const { standing, taskId, id, url, failures, lastError, nextTry } = webhook;
  return [standing, taskId, id, url, failures, lastError, nextTry].map(textOf).join('\t');
}

/** Everything that is known of a webhook, for a person. */
export function webhookText(webhook: ShownWebhook, now: number): string {
  const { owner, ...rest } = webhook;
  const { subject = '', tenant = '' } = isPlainObject(owner) ? owner : {};
  const lines = Object.entries({ ...rest, owner: [subject, tenant].filter(Boolean).join(' of ') || '(anonymous)' })
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name.padEnd(13)} ${textOf(value)}${since(value, now)}`);
  return lines.join('\n');
}

function since(value: unknown, now: number): string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return '';
  return Date.parse(value) > now ? ` (in ${Math.ceil((Date.parse(value) - now) / 1000)}s)` : ` (${age(value, now)})`;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return cleanLine(typeof value === 'string' ? value : JSON.stringify(value));
}
