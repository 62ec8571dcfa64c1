/** Encrypts what a journal keeps of secrets. */
export interface Vault {
  /** `subject`: what the text belongs to; it opens for no other. */
  seal(text: string, subject: string): Promise<string>;
  /** Resolves with undefined where no key opens it. */
  open(sealed: string, subject: string): Promise<string | undefined>;
}
