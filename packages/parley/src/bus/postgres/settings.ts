/** The address and use of the database; the store of the same database has the same settings. */
export interface PostgresBusSettings {
  /** For `pg`. */
  readonly url: string;
  /** For messages: without the password. */
  readonly name: string;
  readonly schema: string;
  /** `transaction`: no LISTEN and nothing else that a session keeps, so the database is polled. */
  readonly pool: 'session' | 'transaction';
}
