import { mkdir, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { readDecision } from '../ads/read-decision.ts';
import { messageOf } from '../lib/error-message.ts';

/** A file that stands for a backend. */
export interface TestBackend {
  readonly name: string;
  /** Where `on_play` finds it. */
  readonly path: string;
  readonly text: string;
}

/** Files that are kept. */
const MOST_FILES = 50;
/** Longest text, in bytes. */
const MOST_BYTES = 65_536;
const ENDING = '.json';
const NAME = /^[A-Za-z0-9_-]{1,60}$/;

/** Answers of backends as files, to try insertion without a backend: every viewer is let in, and gets these advertisements. */
export class TestBackends {
  readonly #folder: string;

  /** @param folder is made with the first file */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** All of them by name; what is too long or no file of this kind is left out. */
  async list(): Promise<TestBackend[]> {
    const names = await this.#names();
    const found: TestBackend[] = [];
    for (const name of names.slice(0, MOST_FILES)) {
      const path = this.#pathOf(name);
      const isShort = await stat(path).then(
        (facts) => facts.isFile() && facts.size <= MOST_BYTES,
        () => false,
      );
      if (isShort) found.push({ name, path, text: await readFile(path, 'utf8').catch(() => '') });
    }
    return found;
  }

  /** Keeps an answer, over one of the same name. Raises `bad_value` with what is wrong with it. @returns its path */
  async save(name: string, text: string): Promise<string> {
    const path = this.#checked(name);
    checkAnswer(text);
    const names = await this.#names();
    if (!names.includes(name) && names.length >= MOST_FILES)
      throw new AirdeskError('bad_value', `There are ${MOST_FILES} test backends: delete one first`);
    try {
      await mkdir(this.#folder, { recursive: true });
      // A viewer who comes meanwhile gets the one or the other.
      await writeFile(`${path}.new`, text);
      await rename(`${path}.new`, path);
    } catch (error) {
      throw new AirdeskError('config_not_saved', `The test backend cannot be written: ${messageOf(error)}`);
    }
    return path;
  }

  /** Raises `not_found`. */
  async remove(name: string): Promise<void> {
    await unlink(this.#checked(name)).catch(() => {
      throw new AirdeskError('not_found', `There is no test backend ${name}`);
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
    if (!NAME.test(name)) throw new AirdeskError('bad_value', 'A name has letters, digits, _ and -, at most 60');
    return this.#pathOf(name);
  }

  #pathOf(name: string): string {
    return join(this.#folder, name + ENDING);
  }
}

function checkAnswer(text: string): void {
  if (Buffer.byteLength(text) > MOST_BYTES) throw new AirdeskError('bad_value', `At most ${MOST_BYTES} bytes`);
  const refuse = (detail: string): AirdeskError => new AirdeskError('bad_value', detail);
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (error) {
    throw refuse(`This is no JSON: ${messageOf(error)}`);
  }
  if (typeof answer !== 'object' || answer === null || !('ad_inject' in answer))
    throw refuse('It has to be {"ad_inject": { … }}');
  const { faults } = readDecision(answer.ad_inject);
  if (faults.length > 0) throw refuse(faults.slice(0, 5).join('; '));
}
