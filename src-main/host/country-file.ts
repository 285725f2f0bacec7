import { resolve } from 'node:path';
import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';
import { readRegularFile } from '../lib/regular-file.ts';
import { CountryDatabase } from '../sessions/country-database.ts';

/** Maximum size of the country database, in bytes. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;

/** Countries of addresses, from the configured file. Until the file is read, and without a file, all countries are unknown. */
export class CountrySource {
  readonly #folder: string;
  readonly #log: Log;
  #path: string | null = null;
  #database: CountryDatabase | undefined;

  /** @param folder base of relative paths */
  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  /** Applies the path of a configuration; null for none. Resolves when the file is in use or was found unusable. */
  async apply(path: string | null): Promise<void> {
    if (path === this.#path) return;
    this.#path = path;
    if (path === null) {
      this.#database = undefined;
      return;
    }
    try {
      const database = await load(resolve(this.#folder, path));
      // The path may have changed while the file was read.
      if (this.#path === path) this.#database = database;
    } catch (error) {
      this.#log.error('the country database cannot be used', {
        path,
        error: messageOf(error),
      });
    }
  }

  /** ISO 3166-1 code of two letters; null if unknown. */
  countryOf(ip: string): string | null {
    return this.#database?.countryOf(ip) ?? null;
  }
}

async function load(path: string): Promise<CountryDatabase> {
  return new CountryDatabase(await readRegularFile(path, MAX_FILE_BYTES));
}
