import { resolve } from 'node:path';
import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';
import { readRegularFile } from '../lib/regular-file.ts';
import { CountryDatabase } from '../sessions/country-database.ts';

/** Largest file of countries, in bytes. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;

/** The countries of addresses, from the file that the configuration names. Until it is read, and without one, none is known. */
export class CountrySource {
  readonly #folder: string;
  readonly #log: Log;
  #path: string | null = null;
  #database: CountryDatabase | undefined;

  /** @param folder that relative paths start from */
  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  /** Takes the path of a configuration; null for none. Resolves when the file is in use, or was found not to be usable. */
  async apply(path: string | null): Promise<void> {
    if (path === this.#path) return;
    this.#path = path;
    if (path === null) {
      this.#database = undefined;
      return;
    }
    try {
      const database = await load(resolve(this.#folder, path));
      // Another one may have been named meanwhile.
      if (this.#path === path) this.#database = database;
    } catch (error) {
      this.#log.error('the country database cannot be used', {
        path,
        error: messageOf(error),
      });
    }
  }

  /** By two letters; null where it is not known. */
  countryOf(ip: string): string | null {
    return this.#database?.countryOf(ip) ?? null;
  }
}

async function load(path: string): Promise<CountryDatabase> {
  return new CountryDatabase(await readRegularFile(path, MAX_FILE_BYTES));
}
