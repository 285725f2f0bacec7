import { mkdir, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { because, type Explained } from '../../src-preload/contract/explanations/explanations.ts';
import { joined, readDecision } from '../ads/decision/read-decision.ts';
import { messageOf } from '../lib/error-message.ts';
import { isFullDisk } from '../lib/full-disk.ts';

/** A file that replaces a backend. */
export interface TestBackend {
  readonly name: string;
  /** Path for `on_play`. */
  readonly path: string;
  readonly text: string;
}

/** Maximum number of files. */
const MAX_FILES = 50;
/** Maximum size of the text, in bytes. */
const MAX_BYTES = 65_536;
const ENDING = '.json';
const NAME = /^[A-Za-z0-9_-]{1,60}$/;

/**
 * Answers of backends stored as files, to try insertion without a backend: every viewer is admitted and gets the
 * advertisements of the answer.
 */
export class TestBackends {
  readonly #folder: string;

  /** @param folder created with the first file */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** All test backends by name, without oversized or unrelated files. */
  async list(): Promise<TestBackend[]> {
    const names = await this.#names();
    const found: TestBackend[] = [];
    for (const name of names.slice(0, MAX_FILES)) {
      const path = this.#pathOf(name);
      const isShort = await stat(path).then(
        (facts) => facts.isFile() && facts.size <= MAX_BYTES,
        () => false,
      );
      if (isShort) found.push({ name, path, text: await readFile(path, 'utf8').catch(() => '') });
    }
    return found;
  }

  /**
   * Stores an answer; replaces an answer of the same name. Throws `bad_value` with its faults.
   *
   * @returns path of the file
   */
  async save(name: string, text: string): Promise<string> {
    const path = this.#checked(name);
    checkAnswer(text);
    const names = await this.#names();
    if (!names.includes(name) && names.length >= MAX_FILES)
      throw new AirdeskError('bad_value', because('test_backend_limit', { count: MAX_FILES }));
    try {
      await mkdir(this.#folder, { recursive: true });
      // A concurrent reader gets either the old file or the new one.
      await writeFile(`${path}.new`, text);
      await rename(`${path}.new`, path);
    } catch (error) {
      const code = isFullDisk(error) ? 'disk_full' : 'config_not_saved';
      throw new AirdeskError(code, because('test_backend_not_written', { explanation: messageOf(error) }));
    }
    return path;
  }

  /** Throws `not_found`. */
  async remove(name: string): Promise<void> {
    await unlink(this.#checked(name)).catch(() => {
      throw new AirdeskError('not_found', because('test_backend_unknown', { name }));
    });
  }

  async #names(): Promise<string[]> {
    const files = await readdir(this.#folder).catch(() => []);
    return files
      .filter((file) => file.endsWith(ENDING))
      .map((file) => file.slice(0, -ENDING.length))
      .filter((name) => NAME.test(name))
      .sort();
  }

  #checked(name: string): string {
    if (!NAME.test(name)) throw new AirdeskError('bad_value', because('name_characters'));
    return this.#pathOf(name);
  }

  #pathOf(name: string): string {
    return join(this.#folder, name + ENDING);
  }
}

function checkAnswer(text: string): void {
  if (Buffer.byteLength(text) > MAX_BYTES)
    throw new AirdeskError('bad_value', because('text_too_large', { bytes: MAX_BYTES }));
  const refuse = (why: Explained): AirdeskError => new AirdeskError('bad_value', why);
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (error) {
    throw refuse(because('answer_not_json', { explanation: messageOf(error) }));
  }
  if (typeof answer !== 'object' || answer === null || !('ad_inject' in answer))
    throw refuse(because('answer_without_ads'));
  const { faults } = readDecision(answer.ad_inject);
  if (faults.length > 0) throw refuse(joined(faults.slice(0, 5)));
}
