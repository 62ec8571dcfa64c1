/** Reads the bytes of one PEM block. Throws a TypeError that says what to do with another kind of key. */
export function readPem(text: string, wanted: 'PRIVATE KEY' | 'PUBLIC KEY'): Uint8Array<ArrayBuffer> {
  const [, label = '', body = ''] = /-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/.exec(text) ?? [];
  if (label === '') throw new TypeError('it is a text without a PEM block');
  if (label !== wanted) throw new TypeError(`it is a PEM block of "${label}", not of "${wanted}"${adviceOn(label)}`);
  try {
    return Uint8Array.from(atob(body.replaceAll(/\s/g, '')), (char) => char.charCodeAt(0));
  } catch {
    throw new TypeError('its PEM block is not base64');
  }
}

function adviceOn(label: string): string {
  if (label === 'EC PRIVATE KEY' || label === 'RSA PRIVATE KEY') {
    return '; convert it with: openssl pkcs8 -topk8 -nocrypt -in FILE';
  }
  if (label === 'ENCRYPTED PRIVATE KEY') return '; decrypt it with: openssl pkcs8 -in FILE';
  return label === 'CERTIFICATE' ? '; take its key out with: openssl x509 -pubkey -noout -in FILE' : '';
}
