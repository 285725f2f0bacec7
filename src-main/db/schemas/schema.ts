/** Change of the tables after the first release. Never edited after its release. */
interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** Tables of one kind of database file. */
export interface Schema {
  /** `user_version` of a file that `sql` has created, at least 1. */
  readonly version: number;
  /** Creates all tables in an empty file. */
  readonly sql: string;
  /** Changes since then, oldest first. Each one raises `user_version` by one. */
  readonly migrations: readonly Migration[];
}
