import type { Connection } from './database.ts';

/** Stored named login. */
interface Row {
  readonly login: string;
  readonly name: string;
  readonly role: string;
  readonly passwordHash: string;
  readonly isDisabled: boolean;
  readonly createdMs: number;
  readonly createdBy: string;
  /** Last change of the password, epoch milliseconds. */
  readonly passwordMs: number;
  /** Name prefixes of the streams that the person may see; empty for all. */
  readonly prefixes: readonly string[];
}

/** Row as SQLite stores it. */
type StoredRow = Omit<Row, 'isDisabled' | 'prefixes'> & { readonly isDisabled: 0 | 1; readonly prefixes: string };

/** Named logins. */
export class PersonRepository {
  readonly #all: () => readonly StoredRow[];
  readonly #put: (row: StoredRow) => void;
  readonly #remove: (login: string) => void;

  constructor(connection: Connection) {
    const all = connection.prepare(
      'SELECT login, name, role, password_hash AS passwordHash, is_disabled AS isDisabled, created_ms AS createdMs, ' +
        'created_by AS createdBy, password_ms AS passwordMs, prefixes FROM person ORDER BY login',
    );
    const put = connection.prepare(
      'INSERT OR REPLACE INTO person (login, name, role, password_hash, is_disabled, created_ms, created_by, password_ms, prefixes) ' +
        'VALUES (@login, @name, @role, @passwordHash, @isDisabled, @createdMs, @createdBy, @passwordMs, @prefixes)',
    );
    const remove = connection.prepare('DELETE FROM person WHERE login = ?');
    this.#all = () => all.all() as StoredRow[];
    this.#put = (row) => put.run(row);
    this.#remove = (login) => remove.run(login);
  }

  /** All people, by login. */
  all(): readonly Row[] {
    return this.#all().map((row) => ({
      ...row,
      isDisabled: row.isDisabled === 1,
      prefixes: JSON.parse(row.prefixes) as string[],
    }));
  }

  /** Adds a person, or replaces the one with the same login. */
  save({ isDisabled, prefixes, ...row }: Row): void {
    this.#put({ ...row, isDisabled: isDisabled ? 1 : 0, prefixes: JSON.stringify(prefixes) });
  }

  remove(login: string): void {
    this.#remove(login);
  }
}
