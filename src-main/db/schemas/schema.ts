/** Step from one version of the tables to the next. Never edited after its release. */
interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** Tables of one kind of database file. */
export interface Schema {
  /** `user_version` of the current tables, at least 1. */
  readonly version: number;
  /** Creates the current tables in an empty file. */
  readonly sql: string;
  /** Upgrades of older files, oldest first: each raises `user_version` by one, the last one to `version`. */
  readonly migrations: readonly Migration[];
}
