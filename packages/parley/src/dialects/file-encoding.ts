/** The number of times that the bytes of a file are base64 in a text: `twice` = the base64 text was taken for the bytes. */
export type FileEncoding = 'once' | 'twice';

/**
 * Settings for files in the ProtoJSON of 0.3, the form of its HTTP+JSON binding. The proto says to encode base64 once.
 * The SDKs of Python, Go and Java put the base64 text into the field of bytes, so they encode twice (reference: v03
 * §9).
 */
export interface FileEncodingOptions {
  /**
   * `detect` reads a file as encoded twice if the decoded text is itself canonical base64 of 16 characters or more,
   * else as encoded once. `twice` does so for any base64, which short files need. Default `detect`.
   */
  readonly read?: FileEncoding | 'detect' | undefined;
  /**
   * Default: as the peer writes. Until the peer has sent a file, `twice`, which those SDKs read. A server uses `once`
   * for callers with the `fetch` of JavaScript, whose SDK keeps to the proto.
   */
  readonly write?: FileEncoding | undefined;
}

/** The signs of a request about files, beside the settings. */
export interface RequestedFiles extends FileEncodingOptions {
  /** The encoding to write where neither a setting nor a file of the request tells. */
  readonly usual?: FileEncoding | undefined;
}

/** In this header peers of our own say how files of a body are written, so that nothing has to be guessed. */
export const FILES_HEADER = 'x-parley-files';

const READ = ['detect', 'once', 'twice'] as const;
const WRITE = ['once', 'twice'] as const;

/** Throws a TypeError for an unknown value. */
export function checkFileEncoding({ read, write }: FileEncodingOptions = {}): void {
  const wrong =
    (read !== undefined && !READ.includes(read) && `read: ${String(read)}`) ||
    (write !== undefined && !WRITE.includes(write) && `write: ${String(write)}`);
  if (!wrong) return;
  throw new TypeError(`fileEncoding has ${wrong}; read is one of ${READ.join(', ')}, write one of ${WRITE.join(', ')}`);
}

/** The encoding that a header names; undefined where it names none. */
export function namedEncoding(value: string | null | undefined): FileEncoding | undefined {
  return WRITE.find((encoding) => encoding === value);
}

/** A client's knowledge of how one server encodes files. */
export class FileHabits {
  readonly #settings: FileEncodingOptions;
  readonly #isOurs: () => boolean;
  #said: FileEncoding | undefined;
  #seen: FileEncoding | undefined;

  /** @param isOurs whether the server understands our header: others are not sent it, and might not let it through */
  constructor(settings: FileEncodingOptions = {}, isOurs: () => boolean = () => false) {
    this.#settings = settings;
    this.#isOurs = isOurs;
  }

  get read(): FileEncoding | 'detect' {
    return this.#said ?? this.#settings.read ?? 'detect';
  }

  get write(): FileEncoding {
    return this.#settings.write ?? this.#said ?? this.#seen ?? 'twice';
  }

  /** The headers of requests. */
  get headers(): Readonly<Record<string, string>> {
    return this.#said || this.#isOurs() ? { [FILES_HEADER]: this.write } : {};
  }

  /** Takes the header of every response, before its body is read. */
  notice(value: string | null): void {
    this.#said = namedEncoding(value) ?? this.#said;
  }

  /**
   * Takes what a file shows of its writer. Bytes that are not base64 inside prove that the server encodes once; the
   * opposite may also be a file that the server misunderstood when it was sent.
   */
  observe(encoding: FileEncoding): void {
    if (this.#seen !== 'once') this.#seen = encoding;
  }
}
