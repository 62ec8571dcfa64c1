import { listAt, memberOf, textAt } from './json.ts';
import type { Form } from './shapes.ts';

/** A push config in the words of 1.0; it is written in the form of the interface. */
export interface PushSettings {
  readonly id?: string | undefined;
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly authentication?: { readonly scheme?: string; readonly credentials?: string } | undefined;
}

/** A config as it stands inside a send, or inside a request that creates it. */
export function writeConfig(form: Form, { authentication, ...rest }: PushSettings): Record<string, unknown> {
  if (authentication === undefined) return rest;
  if (form === '1.0') return { ...rest, authentication };
  const { scheme, credentials } = authentication;
  return { ...rest, authentication: { ...(scheme !== undefined && { schemes: [scheme] }), credentials } };
}

/** The body or the params of a creation. Of the forms in use for 0.3 over HTTP+JSON it is the one that the proto has. */
export function creationOf(form: Form, taskId: string, settings: PushSettings): Record<string, unknown> {
  const config = writeConfig(form, settings);
  if (form === '1.0') return config;
  if (form === '0.3') return { pushNotificationConfig: config };
  const id = settings.id ?? crypto.randomUUID();
  return { name: `tasks/${taskId}/pushNotificationConfigs/${id}`, pushNotificationConfig: { ...config, id } };
}

export interface SeenConfig {
  readonly id: string | undefined;
  readonly taskId: string | undefined;
  readonly url: string | undefined;
  readonly raw: unknown;
}

export function readConfig(form: Form, raw: unknown): SeenConfig {
  if (form === '1.0') return { id: textAt(raw, 'id'), taskId: textAt(raw, 'taskId'), url: textAt(raw, 'url'), raw };
  const inner = memberOf(raw, 'pushNotificationConfig');
  const name = textAt(raw, 'name') ?? '';
  const [, taskOfName, configOfName] = /^tasks\/([^/]+)\/pushNotificationConfigs\/([^/]+)$/.exec(name) ?? [];
  return {
    id: textAt(inner, 'id') ?? configOfName,
    taskId: textAt(raw, 'taskId') ?? taskOfName,
    url: textAt(inner, 'url'),
    raw,
  };
}

/** The configs of a list; undefined if it is no list. */
export function readConfigs(form: Form, result: unknown): readonly SeenConfig[] | undefined {
  const list = form === '0.3' ? (Array.isArray(result) ? result : undefined) : (listAt(result, 'configs') ?? []);
  return list?.map((raw) => readConfig(form, raw));
}
