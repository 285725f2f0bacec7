import { timeInFileName } from '../lib/clock.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { summarize } from '../config/change-summary.ts';
import type { Config } from '../config/config.ts';
import { diffConfigInSteps, type ConfigChange } from '../config/diff-config.ts';
import { ConfigDocument } from '../config/document.ts';
import { makeEdits, type ConfigEdit } from '../config/edit/edit-config.ts';
import { mergeJson } from '../config/edit/json-edits.ts';
import type { BlockRule } from '../config/edit/put-blocks.ts';
import type { JsonValue } from '../config/schema/value-schema.ts';
import type { NewConfigVersion } from '../db/config-version.ts';
import { stackOf } from '../lib/error-message.ts';
import { nextTurn, runInTurns } from '../lib/turns.ts';
import type { ChangedBy } from '../operators/caller.ts';
import {
  documentOfFile,
  editedDocument,
  editOfBlocks,
  textInPlaceOf,
  type ConfigurationEdit,
} from './changed-document.ts';
import { ConfigurationError, describeFailure, logWarnings } from './configuration-error.ts';
import type { Applied, ChangeOptions, PendingChange } from './configuration-change.ts';
import type { ConfigurationHistory } from './configuration-history.ts';
import type { ConfigurationOptions } from './configuration-options.ts';
import { findStart, type StartingPoint } from './configuration-start.ts';
import { ConfigFileWatch } from './file-watch.ts';
import { requireNoProbation, requireProbation, type Probation } from './probation.ts';

/**
 * The configuration of the server: the text in force, the file, the versions. Everything that changes it comes through here, one change after the other.
 * A change is validated as a whole; one with mistakes raises `ConfigurationError` and changes nothing. While a change waits for its confirmation any
 * other raises `config_unconfirmed`.
 */
export class Configuration {
  readonly history: ConfigurationHistory;
  readonly #options: ConfigurationOptions;
  readonly #watch: ConfigFileWatch;
  readonly #startedMs: number;
  #document: ConfigDocument;
  #config: Config;
  #versionId: number | null;
  #isOnDisk: boolean;
  #error: string | null;
  #probation: Probation | undefined;
  #applied = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  private constructor(options: ConfigurationOptions, { document, versionId, error }: StartingPoint) {
    if (!document.config) throw new AirdeskError('internal', 'A configuration with mistakes cannot be in force');
    this.#options = options;
    this.history = options.history;
    this.#watch = new ConfigFileWatch(options.file, options.clock);
    this.#startedMs = options.clock.now();
    this.#document = document;
    this.#config = document.config;
    this.#versionId = versionId;
    this.#error = error;
    this.#isOnDisk = error === null;
  }

  /** Reads the configuration and its history. What is wrong with the file is in `error`; see `findStart` for what runs then. */
  static async load(options: ConfigurationOptions): Promise<Configuration> {
    return new Configuration(options, await findStart(options));
  }

  /** What is in force. */
  get config(): Config {
    return this.#config;
  }

  /** The text in force, with what is known of its parts. There are secrets in it. */
  get document(): ConfigDocument {
    return this.#document;
  }

  /** Number of the version in force; null where it is not in the history. */
  get versionId(): number | null {
    return this.#versionId;
  }

  /** Rises with everything that is put into force, also over restarts: compare the first number, then the second. */
  get revision(): readonly [startedMs: number, applied: number] {
    return [this.#startedMs, this.#applied];
  }

  /** What is wrong with the file on disk; null while it can be read. */
  get error(): string | null {
    return this.#error;
  }

  /** Whether the file says what is in force, as far as is known. */
  get isOnDisk(): boolean {
    return this.#isOnDisk;
  }

  /** Whether the file was edited since it was read or written here, as far as is known. */
  get isFileNewer(): boolean {
    return this.#watch.isNewer;
  }

  /** The change that waits for its confirmation. */
  get pending(): PendingChange | null {
    if (!this.#probation) return null;
    const { versionId, confirmByMs, by } = this.#probation;
    return { versionId, confirmByMs, by };
  }

  /** Whether the demonstration runs as it was shipped. */
  get isDemo(): boolean {
    return this.#document.text === this.#options.demoText;
  }

  /** A version of the history. There are secrets in it. Raises `config_version_not_found`. */
  async versionDocument(id: number): Promise<ConfigDocument> {
    return ConfigDocument.parseInTurns(await this.history.text(id), this.#document);
  }

  /** The file on disk, with its mistakes; undefined where there is no file. There are secrets in it. */
  async fileDocument(): Promise<ConfigDocument | undefined> {
    const text = await this.#options.file.peek();
    return text === undefined ? undefined : ConfigDocument.parseInTurns(text, this.#document);
  }

  /** Makes edits of single directives. */
  edit(edits: readonly ConfigEdit[], by: ChangedBy, options: ChangeOptions = {}): Promise<Applied> {
    return this.change((draft) => makeEdits(draft, edits), by, options);
  }

  /** Merges JSON (RFC 7386) as `mergeJson` does. */
  merge(fragment: JsonValue, by: ChangedBy, options: ChangeOptions = {}): Promise<Applied> {
    return this.change((draft, config) => mergeJson(draft, config, fragment), by, options);
  }

  /** Makes a change of any kind. @param edit changes the draft; raises `EditProblem` */
  change(edit: ConfigurationEdit, by: ChangedBy, options: ChangeOptions = {}): Promise<Applied> {
    return this.#enqueue(async () => {
      options.check?.();
      return this.#change(await editedDocument(this.#document, this.#config, edit), by, options);
    });
  }

  /** Puts blocks of a text (`stream a { … }`) in the place of those with their names, or adds them. */
  async putText(text: string, by: ChangedBy, options: ChangeOptions = {}, rule?: BlockRule): Promise<Applied> {
    return this.change(await editOfBlocks(text, rule), by, options);
  }

  /** Puts a whole text into force. Masks in it mean the secrets that are there. */
  replace(text: string, by: ChangedBy, options: ChangeOptions = {}): Promise<Applied> {
    return this.#enqueue(async () => this.#change(await this.validate(text), by, options));
  }

  /** Puts a version of the history into force. Raises `config_version_not_found`. */
  restore(id: number, by: ChangedBy, options: ChangeOptions = {}): Promise<Applied> {
    return this.#enqueue(() => this.#restore(id, by, options));
  }

  /**
   * Takes back the change that made a version: what was there before comes back as it was. Raises `config_changed_since` where another version
   * is in force by now, and `config_version_not_found`.
   */
  undo(id: number, by: ChangedBy): Promise<Applied> {
    return this.#enqueue(async () => {
      const { parentId } = this.history.get(id);
      if (this.#versionId !== id)
        throw new AirdeskError(
          'config_changed_since',
          `Version ${id} is not in force any more: something else was changed`,
        );
      if (parentId === null) throw new AirdeskError('config_version_not_found', `Nothing is known of before ${id}`);
      return this.#restore(parentId, by);
    });
  }

  /** What a text would mean; nothing is changed. Masks in it mean the secrets that are there. */
  validate(text: string): Promise<ConfigDocument> {
    return textInPlaceOf(this.#document, text);
  }

  /** What merging JSON would make of the configuration; nothing is changed. Raises what is wrong with it. */
  validateMerge(fragment: JsonValue): Promise<ConfigDocument> {
    return editedDocument(this.#document, this.#config, (draft, config) => mergeJson(draft, config, fragment));
  }

  /** Reads the file again and puts it into force. Raises what is wrong with it; then what was in force stays. */
  reload(by: ChangedBy): Promise<Applied> {
    return this.#enqueue(async () => {
      requireNoProbation(this.#probation);
      const wasBroken = this.#error !== null;
      const document = await this.#readFile();
      this.#error = null;
      // A file that was mended says what its version says.
      const isNew = document.text !== this.#document.text || (!this.#isOnDisk && !wasBroken);
      const change = await this.#diff(document.config);
      const versionId = isNew
        ? await this.history.add(
            { ...this.#version(document, change, by), state: 'confirmed', confirmByMs: null, isOnDisk: true },
            document.text,
          )
        : this.#versionId;
      this.#isOnDisk = true;
      return this.#putIntoForce(document, change, versionId, by);
    });
  }

  /** Keeps the change on probation for good, and writes it into the file where that was meant. Raises `config_not_pending`. */
  confirm(by: ChangedBy, options: Pick<ChangeOptions, 'overwritesFile'> = {}): Promise<void> {
    return this.#enqueue(async () => {
      const probation = requireProbation(this.#probation);
      if (probation.isSaved) await this.#save(this.#document.text, options.overwritesFile === true);
      probation.cancelTimer();
      this.#probation = undefined;
      this.history.settle(probation.versionId, 'confirmed');
      this.#options.log.info('a change of the configuration was confirmed', { version: probation.versionId, ...by });
      this.#options.events?.emit('config_confirmed', {
        version: probation.versionId,
        by: by.who,
        origin: by.fromWhere,
      });
    });
  }

  /** Takes the change on probation back. Raises `config_not_pending`. */
  rollback(by: ChangedBy): Promise<Applied> {
    return this.#enqueue(() => this.#rollback(requireProbation(this.#probation), by));
  }

  /** Ends the timer; a change on probation is taken back at the next start. Resolves when no change is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watch.close();
    this.#probation?.cancelTimer();
    await this.#queue;
  }

  async #restore(id: number, by: ChangedBy, options: ChangeOptions = {}): Promise<Applied> {
    const document = await this.versionDocument(id);
    if (!document.config) throw new ConfigurationError(document.errors);
    return this.#change(document, by, options);
  }

  async #change(
    document: ConfigDocument,
    by: ChangedBy,
    { isSaved = true, confirmWithinMs, overwritesFile = false, isDryRun = false }: ChangeOptions,
  ): Promise<Applied> {
    requireNoProbation(this.#probation);
    const { config, text } = document;
    if (!config) throw new ConfigurationError(document.errors);
    await this.#options.check?.(this.#config, config, by);
    if (isSaved && this.#error !== null && !overwritesFile)
      throw new AirdeskError(
        'config_file_broken',
        `The configuration file is invalid and is not overwritten: ${this.#error}`,
      );
    const change = await this.#diff(config);
    const unchanged = { config, document, versionId: this.#versionId, change };
    // What is there already makes no version; a file that does not have it yet gets it.
    if (text === this.#document.text && (this.#isOnDisk || !isSaved)) return unchanged;
    const isOnProbation = confirmWithinMs !== undefined;
    if (isDryRun) {
      if (isSaved && !isOnProbation && !overwritesFile) await this.#options.file.requireUnchanged();
      return unchanged;
    }
    const confirmByMs = this.#options.clock.now() + (confirmWithinMs ?? 0);
    // Whatever happens from here on, the version is in the history: at the next start the file says whether it was put into force.
    await nextTurn();
    const versionId = await this.history.add(
      { ...this.#version(document, change, by), state: 'pending', confirmByMs, isOnDisk: isSaved },
      text,
    );
    if (isSaved && !isOnProbation) {
      await this.#save(text, overwritesFile).catch((cause: unknown) => {
        this.history.remove(versionId);
        throw cause;
      });
    }
    await nextTurn();
    if (isOnProbation) this.#begin(confirmWithinMs, { versionId, confirmByMs, by, isSaved });
    else this.history.settle(versionId, 'confirmed');
    if (!isSaved || isOnProbation) this.#isOnDisk = false;
    return this.#putIntoForce(document, change, versionId, by);
  }

  #begin(confirmWithinMs: number, pending: Pick<Probation, 'versionId' | 'confirmByMs' | 'by' | 'isSaved'>): void {
    const probation: Probation = {
      ...pending,
      before: this.#document,
      beforeId: this.#versionId,
      wasOnDisk: this.#isOnDisk,
      cancelTimer: this.#options.clock.after(confirmWithinMs, () => {
        void this.#enqueue(async () => {
          if (this.#probation === probation && !this.#isClosed)
            await this.#rollback(probation, { who: 'server', fromWhere: 'timer' });
        });
      }),
    };
    this.#probation = probation;
  }

  async #rollback(probation: Probation, by: ChangedBy): Promise<Applied> {
    probation.cancelTimer();
    this.#probation = undefined;
    this.history.settle(probation.versionId, 'rolled_back');
    this.#isOnDisk = probation.wasOnDisk;
    this.#options.log.warn('a change of the configuration is taken back', { version: probation.versionId, ...by });
    const change = await this.#diff(probation.before.config);
    return this.#putIntoForce(probation.before, change, probation.beforeId, by, true);
  }

  async #putIntoForce(
    document: ConfigDocument,
    change: ConfigChange,
    versionId: number | null,
    by: ChangedBy,
    isRollback = false,
  ): Promise<Applied> {
    const config = document.config ?? this.#config;
    logWarnings(this.#options.log, document, this.#document);
    this.#document = document;
    this.#config = config;
    this.#versionId = versionId;
    this.#applied++;
    // The change is in force and on the disk: what one stream makes of it is its own trouble, and does not undo the rest.
    await this.#options.apply(config).catch((cause: unknown) => {
      this.#options.log.error('a part of the configuration could not be applied', { error: stackOf(cause) });
    });
    const summary = summarize(change);
    this.#options.log.info('a configuration was applied', { version: versionId, summary, ...by });
    const facts = { version: versionId, by: by.who, origin: by.fromWhere, summary };
    if (isRollback) this.#options.events?.emit('config_rolled_back', facts);
    else this.#options.events?.emit('config_applied', { ...facts, is_pending: this.#probation !== undefined });
    return { config, document, versionId, change };
  }

  #diff(config = this.#config): Promise<ConfigChange> {
    return runInTurns(diffConfigInSteps(this.#config, config));
  }

  #version(
    { text }: ConfigDocument,
    change: ConfigChange,
    { who, fromWhere }: ChangedBy,
  ): Pick<NewConfigVersion, 'parentId' | 'atMs' | 'who' | 'fromWhere' | 'summary'> {
    const summary = text === this.#document.text ? 'written into the file' : summarize(change);
    return { parentId: this.#versionId, atMs: this.#options.clock.now(), who, fromWhere, summary };
  }

  async #save(text: string, overwritesFile: boolean): Promise<void> {
    const { file, clock, log } = this.#options;
    if (overwritesFile && (this.#error !== null || (await file.isChangedOnDisk()))) {
      const aside = await file.copyAside(timeInFileName(clock.now()));
      log.warn('the configuration file is overwritten; a copy of it is kept', { copy: aside });
    }
    await file.save(text);
    this.#watch.settle();
    this.#error = null;
    this.#isOnDisk = true;
  }

  async #readFile(): Promise<ConfigDocument> {
    const { file, log } = this.#options;
    try {
      const text = await file.load();
      this.#watch.settle();
      return await documentOfFile(file, text, this.#document);
    } catch (cause) {
      this.#error = describeFailure(cause);
      this.#isOnDisk = false;
      log.error('the configuration file has a mistake and was rejected; the running configuration stays in force', {
        error: this.#error,
      });
      this.#options.events?.emit('config_refused', {
        code: cause instanceof AirdeskError ? cause.code : null,
        detail: this.#error,
      });
      throw cause;
    }
  }

  /** One change after the other; a failed one does not hold up the next. */
  #enqueue<T>(task: () => Promise<T>): Promise<T> {
    const work = this.#queue.then(task);
    this.#queue = work.catch(() => undefined);
    return work;
  }
}
