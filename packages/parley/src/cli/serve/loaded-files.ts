import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The user's files that are loaded from now on: themselves and what they import, but no packages. */
export function recordLoadedFiles(): ReadonlySet<string> {
  const files = new Set<string>();
  registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:') && !url.includes('/node_modules/')) files.add(fileURLToPath(url));
      return next(url, context);
    },
  });
  return files;
}
