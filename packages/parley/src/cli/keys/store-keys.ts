import type { ApiKeyFacet } from '../../ports.ts';
import type { KeyHolder } from './key-holder.ts';

/** An open place of keys. */
interface OpenKeys extends ApiKeyFacet {
  close(): unknown;
}

/** Keys in the store of a server; it is opened for each use. `isMade`: makes one if there is none yet. */
export function keysOfStore(open: (isMade: boolean) => OpenKeys | Promise<OpenKeys>): KeyHolder {
  const using = async <Result>(isMade: boolean, use: (keys: ApiKeyFacet) => Result | Promise<Result>) => {
    const keys = await open(isMade);
    try {
      return await use(keys);
    } finally {
      await keys.close();
    }
  };
  return {
    list: () =>
      using(false, async (keys) =>
        (await keys.listApiKeys()).map(({ createdAt, ...record }) => ({
          ...record,
          createdAt: new Date(createdAt).toISOString(),
        })),
      ),
    add: ({ id, hash, subject, tenant, scopes = [] }) =>
      using(true, (keys) => keys.addApiKey({ id, hash, subject, tenant, scopes, createdAt: Date.now() })),
    remove: (id) => using(false, (keys) => keys.removeApiKey(id)),
  };
}
