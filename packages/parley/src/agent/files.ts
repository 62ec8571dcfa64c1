import { bytesOf } from '../model/parts.ts';
import type { BytesPart, LinkPart } from '../model/task.ts';
import { TaskFailure } from './outcomes.ts';

/** A file of a message, with its content. */
export interface FetchedFile {
  readonly bytes: ReturnType<typeof bytesOf>;
  /** As the part says; else as the response does that brought the file. */
  readonly mediaType: string | undefined;
  readonly filename: string | undefined;
}

export interface FetchFileOptions {
  /** The largest file, in bytes. Default 16 MiB. */
  readonly maxBytes?: number | undefined;
  /** Milliseconds that the download may take. Default 30 s. */
  readonly timeout?: number | undefined;
}

/** The file to fetch, and its bounds. */
interface LinkRequest {
  readonly url: string;
  readonly maxBytes: number;
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** Gets what a link leads to; throws a `TaskFailure` that the caller may read. Servers check where it leads. */
export type FetchLink = (request: LinkRequest) => Promise<Pick<FetchedFile, 'bytes' | 'mediaType'>>;

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
const DEFAULT_TIMEOUT = 30_000;

/** The content of a file: its own bytes, or those at its address. */
export async function fetchFile(
  part: BytesPart | LinkPart,
  { maxBytes = DEFAULT_MAX_BYTES, timeout = DEFAULT_TIMEOUT }: FetchFileOptions,
  { fetchLink, signal }: { readonly fetchLink: FetchLink; readonly signal: AbortSignal },
): Promise<FetchedFile> {
  const { filename, mediaType } = part;
  if (part.kind === 'bytes') {
    const bytes = bytesOf(part);
    if (bytes.length > maxBytes) throw new TaskFailure(`The file is larger than ${maxBytes} bytes`);
    return { bytes, mediaType, filename };
  }
  if (part.kind !== 'link') throw new TypeError('fetchFile takes a part of kind bytes or link');
  const fetched = await fetchLink({ url: part.url, maxBytes, timeout, signal });
  return { bytes: fetched.bytes, mediaType: mediaType ?? fetched.mediaType, filename };
}

/** The default: fetches nothing. */
export const noLinks: FetchLink = () => Promise.reject(new TaskFailure('Files at addresses cannot be fetched here'));
