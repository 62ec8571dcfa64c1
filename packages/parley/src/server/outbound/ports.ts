/** Ports above 1023 of other protocols, which the Fetch standard refuses too. */
const OTHER_PROTOCOLS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);
const LAST_WELL_KNOWN = 1023;

/** The ports that are open by default: those of the web, and all that no well-known service of another kind listens on. */
export function isUsualPort(port: number): boolean {
  return port === 80 || port === 443 || (port > LAST_WELL_KNOWN && !OTHER_PROTOCOLS.has(port));
}
