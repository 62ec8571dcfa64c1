/** Loads an optional peer: the SDK of MCP, which only users of a bridge need. */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new Error(`MCP needs another package: npm install ${name}`, { cause });
  }
}
