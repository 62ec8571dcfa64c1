/** `Application/JSON; charset=utf-8` -> `application/json`. */
export function essence(mediaType: string): string {
  const end = mediaType.indexOf(';');
  return (end === -1 ? mediaType : mediaType.slice(0, end)).trim().toLowerCase();
}

/** Whether a media type is one of these, which may be patterns such as `text/*`. */
export function isCovered(mediaType: string, patterns: readonly string[]): boolean {
  const wanted = essence(mediaType);
  return patterns.some((pattern) => {
    const accepted = essence(pattern);
    if (accepted === wanted || accepted === '*/*' || accepted === '*') return true;
    return accepted.endsWith('/*') && wanted.startsWith(accepted.slice(0, -1));
  });
}
