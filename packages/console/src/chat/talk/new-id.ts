/** An id for a message. `crypto.randomUUID` is missing on pages that do not come from this machine or by TLS. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
