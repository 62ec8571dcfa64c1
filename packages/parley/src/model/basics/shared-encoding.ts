/** The output of an encoder, kept for the other readers of the same wire form. */
interface Encoded<Content> {
  readonly form: unknown;
  readonly content: Content;
  readonly next: Encoded<Content> | undefined;
}

/** Something that is encoded once for each wire form and shared by all its readers. */
export interface Shared<Content> {
  encoded?: Encoded<Content> | undefined;
}

/** Returns this in a wire form, which `encode` makes the first time. */
export function encodedAs<Content>(shared: Shared<Content>, form: unknown, encode: () => Content): Content {
  for (let entry = shared.encoded; entry; entry = entry.next) {
    if (entry.form === form) return entry.content;
  }
  const content = encode();
  shared.encoded = { form, content, next: shared.encoded };
  return content;
}
