/** The bounds of what one request may say, each with an error that names the field and the bound. */
export interface InputLimits {
  /** Larger request bodies are refused. Default 16 MB. */
  readonly bodyBytes: number;
  /** Request bodies may have so many texts, names, objects and arrays, all together. Default 250 000. */
  readonly values: number;
  /** Request bodies may be nested so deep. Default 100, at most 1000. */
  readonly depth: number;
  /** Ids, names and other short texts may have so many characters. Default 1024. */
  readonly idLength: number;
  /** Addresses, tokens and other texts that may be longer than an id may have so many characters. Default 8192. */
  readonly fieldLength: number;
  /** A message may reference so many tasks. Default 100. */
  readonly references: number;
  /** Any other list of texts may have so many elements. Default 100. */
  readonly listLength: number;
  /** A message may have so many parts. Default 1000. */
  readonly parts: number;
  /** The text of one part may have so many bytes. Default 0 = no limit but that of the body. */
  readonly textBytes: number;
  /** The data or the file of one part may have so many bytes of JSON. Default 0 = no limit but that of the body. */
  readonly dataBytes: number;
  /** One object of metadata may have so many bytes of JSON. Default 0 = no limit but that of the body. */
  readonly metadataBytes: number;
  /** A whole message may have so many bytes of JSON. Default 0 = no limit but that of the body. */
  readonly messageBytes: number;
}

/** The limits of a server that sets none. */
export const DEFAULT_INPUT_LIMITS: InputLimits = {
  bodyBytes: 16 * 1024 * 1024,
  values: 250_000,
  depth: 100,
  idLength: 1024,
  fieldLength: 8192,
  references: 100,
  listLength: 100,
  parts: 1000,
  textBytes: Number.POSITIVE_INFINITY,
  dataBytes: Number.POSITIVE_INFINITY,
  metadataBytes: Number.POSITIVE_INFINITY,
  messageBytes: Number.POSITIVE_INFINITY,
};
