/**
 * The address of the public repository, such as `https://host/owner/name`; empty while there is none. Everything that names
 * it reads it here: the site's edit links, links from documents to other files, and the fields of the packed package.json.
 */
export const PUBLIC_ADDRESS: string = '';

/** The branch whose files the links show. */
const BRANCH = 'main';

/** The page of a file or folder of the repository; undefined while there is no public address. */
export function publicPageOf(path: string, address: string = PUBLIC_ADDRESS): string | undefined {
  return address === '' ? undefined : `${address}/blob/${BRANCH}/${path}`;
}
