const PLACE = '{traceId}';

/** The address of a trace by the setting of the server; none where that is missing or no address of the web. */
export function traceLink(tracingUrl: string | undefined, traceId: string): string | undefined {
  if (tracingUrl === undefined) return undefined;
  const id = encodeURIComponent(traceId);
  const address = tracingUrl.includes(PLACE) ? tracingUrl.replaceAll(PLACE, id) : `${tracingUrl}${id}`;
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : undefined;
}
