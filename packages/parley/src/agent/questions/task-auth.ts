import type { MessageDraft, RunHandle } from '../../engine/turn/runner.ts';
import type { JsonObject, JsonValue } from '../../model/basics/json.ts';
import { TASK_AUTH_EXTENSION, type TaskAuthInfo } from '../../model/extensions/task-auth.ts';
import { textOf } from '../../model/parts.ts';
import type { Message, Part } from '../../model/task.ts';
import type { MessageContent } from '../outcomes.ts';
import { messageDraft, metadataOf } from '../run/outputs.ts';
import { checkedTimeout } from './questions.ts';

/** An authorization that a task needs. */
export interface AuthRequest extends TaskAuthInfo {
  /** The text for people. Default: a sentence that names the schemes, the scopes and the address. */
  readonly message?: MessageContent | undefined;
}

/** Options of `task.requireAuth`. */
export interface RequireAuthOptions extends AuthRequest {
  /** Milliseconds to wait for the credential; then the call fails with INPUT_TIMEOUT. */
  readonly timeout?: number | undefined;
}

/** A credential as the caller sent it. It is in no history, log or store: keep it no longer than it is needed. */
export interface Credential {
  readonly text: string;
  /** The data of the first data part. */
  readonly data: JsonValue | undefined;
  readonly parts: readonly Part[];
}

/** Waits in auth-required for a credential: a message to the task, or `server.authorizeTask`. */
export async function requireAuth(handle: RunHandle, { timeout, ...request }: RequireAuthOptions): Promise<Credential> {
  const details = { timeout: checkedTimeout(timeout) };
  return credentialOf(await handle.questions.ask(authDraft(request), 'auth-required', details));
}

function credentialOf({ parts }: Message): Credential {
  const data = parts.find((part) => part.kind === 'data')?.data;
  return { text: textOf(parts), data, parts };
}

/** A credential as a message: content as it is, any other object as data. */
export function credentialDraft(credential: MessageContent | JsonObject): MessageDraft {
  const isContent = typeof credential === 'string' || Array.isArray(credential) || isContentObject(credential);
  return messageDraft(isContent ? (credential as MessageContent) : { kind: 'data', data: credential as JsonObject });
}

function isContentObject(value: object): boolean {
  const isPart = 'kind' in value && ['text', 'data', 'bytes', 'link'].includes(String(value.kind));
  return isPart || ('parts' in value && Array.isArray(value.parts));
}

/** The status message that asks for an authorization, for people and for programs. */
export function authDraft({ message, schemes, scopes, url }: AuthRequest): MessageDraft {
  const info = { ...(schemes && { schemes }), ...(scopes && { scopes }), ...(url !== undefined && { url }) };
  const draft = messageDraft(message ?? explanationOf({ schemes, scopes, url }));
  if (Object.keys(info).length === 0) return draft;
  return {
    ...draft,
    metadata: { ...draft.metadata, ...metadataOf({ [TASK_AUTH_EXTENSION]: info }) },
    extensions: [...(draft.extensions ?? []), TASK_AUTH_EXTENSION],
  };
}

function explanationOf({ schemes = [], scopes = [], url }: TaskAuthInfo): string {
  const names = schemes.map((scheme) => (typeof scheme === 'string' ? scheme : scheme.type));
  const needed = names.length > 0 ? `: ${names.join(' or ')}` : '';
  const allowing = scopes.length > 0 ? ` with ${scopes.join(', ')}` : '';
  return `An authorization is needed${needed}${allowing}.${url === undefined ? '' : ` Give it at ${url}`}`;
}
