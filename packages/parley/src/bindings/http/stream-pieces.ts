import type { ExchangeResponse, ResponseStream } from '../exchange.ts';

/** The bytes of a response as they come. Frees its body when the reader is done with it, at its end or before. */
export async function* piecesOf(body: ExchangeResponse['body']): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  if (typeof body !== 'object') {
    if (body !== undefined) yield encoder.encode(body);
    return;
  }
  try {
    for (let piece = body.read(); piece !== undefined; piece = body.read()) {
      if (piece === '') await readable(body);
      else yield typeof piece === 'string' ? encoder.encode(piece) : piece;
    }
  } finally {
    body.close();
  }
}

function readable(body: ResponseStream): Promise<void> {
  return new Promise((resolve) => body.whenReadable(resolve));
}
