/** Rules that nobody can see from outside of a server, or not over HTTP, each with the reason. docs/check.md has the list. */
export const UNSEEN: Readonly<Record<string, string>> = {};
