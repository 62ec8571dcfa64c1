/** `Application/JSON; charset=utf-8` -> `application/json`. */
export function essence(mediaType: string): string {
  const end = mediaType.indexOf(';');
  return (end === -1 ? mediaType : mediaType.slice(0, end)).trim().toLowerCase();
}

/** Tells whether a media type is one of these, which may be patterns such as `text/*`. */
export function isCovered(mediaType: string, patterns: readonly string[]): boolean {
  const wanted = essence(mediaType);
  return patterns.some((pattern) => {
    const accepted = essence(pattern);
    if (accepted === wanted || accepted === '*/*' || accepted === '*') return true;
    return accepted.endsWith('/*') && wanted.startsWith(accepted.slice(0, -1));
  });
}

/**
 * Tells whether an `Accept` names event streams and leaves no room for JSON. Without the header, and with a wildcard, JSON is
 * welcome. A type with `q=0` is refused, not named.
 */
export function acceptsOnlyStreams(accept: string | undefined): boolean {
  const named = (accept ?? '').split(',').filter((range) => !REFUSED.test(range));
  const types = named.map(essence);
  return types.includes('text/event-stream') && !types.some(takesJson);
}

const REFUSED = /;\s*q\s*=\s*0(?:\.0*)?\s*(?:;|$)/i;

function takesJson(type: string): boolean {
  return type === '*/*' || type === '*' || type === 'application/*' || /^application\/(?:.+\+)?json$/.test(type);
}
