/** One step of the tables. Never edited after a release. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}
