import { isPlainObject, type JsonObject } from '../../model/basics/json.ts';
import type { Message } from '../../model/task.ts';
import type { Vault } from '../ports.ts';

/** A message whose content is a secret, and the metadata of the request that brought it. */
export interface SecretContent {
  readonly message: Message;
  readonly metadata: JsonObject;
}

/** A message that is a secret. */
export interface SecretArrival {
  /** The content as the journal keeps it; undefined: the journal does not keep it. */
  readonly sealed?: string | undefined;
}

export async function sealSecret(vault: Vault, taskId: string, content: SecretContent): Promise<SecretArrival> {
  return { sealed: await vault.seal(JSON.stringify(content), taskId) };
}

/** Resolves with undefined where the secret cannot be read: the run asks for it again. */
export async function openSecret(
  vault: Vault | undefined,
  taskId: string,
  sealed: string,
): Promise<SecretContent | undefined> {
  const text = await vault?.open(sealed, taskId);
  if (text === undefined) return undefined;
  const content: unknown = JSON.parse(text);
  return isPlainObject(content) ? (content as unknown as SecretContent) : undefined;
}
