/** Bounds of one request, each with an error that names the field and the bound. */
export interface InputLimits {
  /** Largest request body. Default 16 MB. */
  readonly bodyBytes: number;
  /** Texts, names, objects and arrays that a request body may have, all together. Default 250 000. */
  readonly values: number;
  /** Deepest nesting of a request body, at most 1000. Default 100. */
  readonly depth: number;
  /** Characters of an id, a name or another short text. Default 1024. */
  readonly idLength: number;
  /** Characters of an address, a token or another text that may be longer than an id. Default 8192. */
  readonly fieldLength: number;
  /** Tasks that a message may reference. Default 100. */
  readonly references: number;
  /** Elements of any other list of texts. Default 100. */
  readonly listLength: number;
  /** Parts that a message may have. Default 1000. */
  readonly parts: number;
  /** Bytes of the text of one part. Default 0 = no limit but that of the body. */
  readonly textBytes: number;
  /** Bytes of JSON of the data or the file of one part. Default 0 = no limit but that of the body. */
  readonly dataBytes: number;
  /** Bytes of JSON of one metadata object. Default 0 = no limit but that of the body. */
  readonly metadataBytes: number;
  /** Bytes of JSON of a whole message. Default 0 = no limit but that of the body. */
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
