import { apiKeys } from '../../server/auth/keys/api-keys.ts';
import { readKeyFile } from '../../server/auth/node/key-file.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../show/problems.ts';

/**
 * Lets in callers with a key of a file, given by `--keys`. Throws if the file has a mistake: nobody would be let in. A file that is
 * not there yet may be made while the server runs.
 */
export async function usableKeys(path: string): Promise<ReturnType<typeof apiKeys>> {
  try {
    await readKeyFile(path);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const text = error instanceof Error ? error.message : String(error);
    if (!isMissing) throw new CommandError(`--keys cannot be used: ${text}`, EXIT.usage, 'USAGE');
  }
  return apiKeys({ file: path });
}
