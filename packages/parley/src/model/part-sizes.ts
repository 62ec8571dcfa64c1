import type { Part } from './task.ts';

/** Estimates what parts hold, in characters. */
export function sizeOfParts(parts: readonly Part[]): number {
  let size = 0;
  for (const part of parts) {
    switch (part.kind) {
      case 'text':
        size += part.text.length;
        break;
      case 'bytes':
        size += part.bytes.length;
        break;
      case 'link':
        size += part.url.length;
        break;
      case 'data':
        size += JSON.stringify(part.data).length;
        break;
    }
  }
  return size;
}
