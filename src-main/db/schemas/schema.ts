/** Step from one version of the tables to the next. A released step is never edited. */
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
  /** Migrations of older files, oldest first. Each one raises `user_version` by one, the last one to `version`. */
  readonly migrations: readonly Migration[];
}
