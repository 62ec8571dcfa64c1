/** The oldest Node that this package runs on. */
export const OLDEST_NODE = '22.18';

export function isOlderNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

/** Says which Node is needed, and which one this is. */
export function olderNodeText(version: string): string {
  return `Node ${OLDEST_NODE} or newer is needed; this is ${version}. See: https://nodejs.org`;
}

interface Surroundings {
  readonly process?: { readonly versions?: { readonly node?: string | undefined } };
  readonly Promise: object;
}

/**
 * Throws on Node 20 and older, whose language lacks what the package needs. Other runtimes pass, whatever version of Node they
 * claim to be.
 */
export function requireNode(surroundings: Surroundings = globalThis): void {
  const version = surroundings.process?.versions?.node;
  if (version === undefined || 'withResolvers' in surroundings.Promise || !isOlderNode(version)) return;
  throw new Error(`parley-a2a: ${olderNodeText(version)}`);
}
