/** The parameters of a `Bearer` challenge (RFC 6750 §3, RFC 9728 §5.1). */
interface BearerChallenge {
  readonly resourceMetadata?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

/** A longer header is read no further. */
const LONGEST_HEADER = 8192;
/** One item: a scheme before its parameters, or a parameter with a token or a quoted text. */
const ITEM = /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))|(?=[\s,]|$))/gy;

/** Reads the `Bearer` part of `WWW-Authenticate`, which may have challenges of several schemes. */
export function bearerChallenge(header: string): BearerChallenge {
  const text = header.slice(0, LONGEST_HEADER);
  const found: Record<string, string> = Object.create(null);
  let scheme = '';
  for (let at = 0; at < text.length; ) {
    ITEM.lastIndex = at;
    const match = ITEM.exec(text);
    if (!match) {
      at += 1;
      continue;
    }
    at = ITEM.lastIndex;
    const [, name = '', quoted, token] = match;
    const value = quoted?.replace(/\\(.)/g, '$1') ?? token;
    if (value === undefined) scheme = name.toLowerCase();
    else if (scheme === 'bearer') found[name.toLowerCase()] ??= value;
  }
  return { resourceMetadata: found.resource_metadata, scopes: found.scope?.split(' ').filter((scope) => scope !== '') };
}
