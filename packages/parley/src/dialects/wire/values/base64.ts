const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/;
const URL_SAFE = /^[A-Za-z0-9_-]*={0,2}$/;

/**
 * Standard or URL-safe base64, padded or not, as padded standard base64; undefined for anything else
 * (reference: v1-data-model, JSON encoding rules 5).
 */
export function normalizeBase64(text: string): string | undefined {
  const standard = STANDARD.test(text);
  if (!standard && !URL_SAFE.test(text)) return undefined;
  const length = lengthWithoutPadding(text);
  const remainder = length % 4;
  if (remainder === 1) return undefined;
  const padding = remainder === 0 ? 0 : 4 - remainder;
  const padded = text.length === length + padding;
  if (!padded && text.length !== length) return undefined;
  if (standard && padded) return text;
  const content = standard ? text : text.replaceAll('-', '+').replaceAll('_', '/');
  return padded ? content : content + '='.repeat(padding);
}

function lengthWithoutPadding(text: string): number {
  let length = text.length;
  while (length > 0 && text.charCodeAt(length - 1) === EQUALS_SIGN) length -= 1;
  return length;
}

const EQUALS_SIGN = 0x3d;
