import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { Config } from '../config/config.ts';
import type { ConfigFile } from '../config/config-file.ts';
import { editConfig, type ConfigEdit } from '../config/edit-config.ts';
import { ConfigDocument } from '../config/document.ts';
import { parseConfig } from '../config/parse-config.ts';

/** The configuration of the server: the text on disk, and what it means. */
export class Configuration {
  readonly #file: ConfigFile;
  readonly #demoText: string;
  readonly #apply: (config: Config) => Promise<void>;
  #text: string;
  #config: Config;
  #queue: Promise<unknown> = Promise.resolve();
  /** What is wrong with the file on disk; null when the server runs what it says. */
  error: string | null;

  private constructor(file: ConfigFile, demoText: string, loaded: Loaded, apply: (config: Config) => Promise<void>) {
    this.#file = file;
    this.#demoText = demoText;
    this.#text = loaded.text;
    this.#config = loaded.config;
    this.error = loaded.error;
    this.#apply = apply;
  }

  /**
   * Reads the configuration. Where there is none, the demonstration is written as the first one. A file with mistakes
   * leaves a server without streams that says what is wrong.
   *
   * @param demoText the demonstration configuration
   * @param apply puts a configuration into force
   */
  static async load(file: ConfigFile, demoText: string, apply: (config: Config) => Promise<void>): Promise<Configuration> {
    let text = await file.load();
    if (text === undefined) {
      text = demoText;
      await file.save(text);
    }
    return new Configuration(file, demoText, read(text, demoText), apply);
  }

  get config(): Config {
    return this.#config;
  }

  get text(): string {
    return this.#text;
  }

  /** Whether the demonstration runs as it was shipped. */
  get isDemo(): boolean {
    return this.#text === this.#demoText;
  }

  /** Changes the text, saves it and puts it into force. Raises what is wrong with the edit; then nothing changed. */
  edit(edits: readonly ConfigEdit[]): Promise<void> {
    const work = this.#queue.then(async () => {
      if (this.error !== null) throw new AirdeskError('config_syntax', `The configuration file has a mistake and is not touched: ${this.error}`);
      const { document, errors } = editConfig(ConfigDocument.parse(this.#text), edits);
      const [error] = errors;
      if (error) throw new AirdeskError(error.code, error.message, { line: error.line, column: error.column });
      const { config, text } = document;
      if (!config) throw new AirdeskError('internal', 'The edited configuration cannot be read');
      await this.#file.save(text);
      this.#text = text;
      this.#config = config;
      await this.#apply(config);
    });
    // One edit after the other; a failed one does not hold up the next.
    this.#queue = work.catch(() => undefined);
    return work;
  }
}

interface Loaded {
  readonly text: string;
  readonly config: Config;
  readonly error: string | null;
}

function read(text: string, demoText: string): Loaded {
  const { config, errors } = parseConfig(text);
  if (config) return { text, config, error: null };
  const [first] = errors;
  const fallback = parseConfig(demoText).config;
  if (!fallback) throw new AirdeskError('internal', 'The demonstration configuration cannot be read');
  const error = first ? `line ${first.line}, column ${first.column}: ${first.message}` : 'the text cannot be read';
  return { text, config: { ...fallback, streams: new Map(), lives: new Map(), templates: new Map() }, error };
}
