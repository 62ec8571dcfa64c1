/** Additions to an object of the protocol. */
export type Metadata = Record<string, unknown>;

export interface PartBase {
  metadata?: Metadata;
}

export interface TextPart extends PartBase {
  kind: 'text';
  text: string;
}

export interface FileBase {
  name?: string;
  mimeType?: string;
}

export interface FileWithBytes extends FileBase {
  /** Base64. */
  bytes: string;
  uri?: never;
}

export interface FileWithUri extends FileBase {
  uri: string;
  bytes?: never;
}

export interface FilePart extends PartBase {
  kind: 'file';
  /** Bytes or an address, never both. */
  file: FileWithBytes | FileWithUri;
}

export interface DataPart extends PartBase {
  kind: 'data';
  data: Record<string, unknown>;
}

export type Part = TextPart | FilePart | DataPart;
