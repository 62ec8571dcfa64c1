/** Begins with a slash and ends without one; '' is the root. */
export function normalPath(path: string): string {
  const trimmed = path.replace(/^\/+|(?<!\/)\/+$/g, '');
  return trimmed === '' ? '' : `/${trimmed}`;
}

export function withoutSlashes(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}

/** An address without its query. */
export function withoutQuery(url: string): string {
  const queryAt = url.indexOf('?');
  return queryAt === -1 ? url : url.slice(0, queryAt);
}

/** Returns the rest of an address below a prefix, with its leading slash; undefined for an address outside the prefix. */
export function belowPrefix(url: string, prefix: string): string | undefined {
  if (!url.startsWith(prefix)) return undefined;
  const rest = url.slice(prefix.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : undefined;
}

/** The part of an address that a framework's pattern stands for: `/t/acme` of `/t/acme/a2a` for `/t/:tenant`. */
export function matchedPrefix(url: string, pattern: string): string {
  const depth = pattern.split('/').filter((segment) => segment !== '').length;
  return withoutQuery(url)
    .split('/')
    .slice(0, depth + 1)
    .join('/');
}
