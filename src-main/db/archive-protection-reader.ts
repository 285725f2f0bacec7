import type { Connection } from './database.ts';

/** Identity of the database, and the number of changes to its locks and episodes. */
interface ArchiveProtection {
  readonly id: string;
  readonly generation: number;
}

/** Reads the identity of the locks and episodes, for comparison with their copies beside the archives. */
export class ArchiveProtectionReader {
  /** Whether this opening created the database: the file was missing, empty or damaged. */
  readonly isNew: boolean;
  readonly #read: () => ArchiveProtection | undefined;

  constructor(connection: Connection, isNew: boolean) {
    this.isNew = isNew;
    const select = connection.prepare<[], ArchiveProtection>('SELECT id, generation FROM archive_protection');
    this.#read = () => select.get();
  }

  /** Raises errors of the database. */
  read(): ArchiveProtection {
    const found = this.#read();
    if (!found) throw new Error('the identity of the database is missing');
    return found;
  }
}
