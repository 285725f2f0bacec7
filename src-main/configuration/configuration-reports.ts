import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { summarize } from '../config/change-summary.ts';
import type { ConfigDocument } from '../config/document.ts';
import type { ConfigVersionState } from '../db/config-version.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import { stackOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';
import type { ChangedBy } from '../operators/caller.ts';
import type { Applied } from './configuration-change.ts';
import { logWarnings } from './configuration-error.ts';

/** What happens to the configuration, for the log and as events. */
export class ConfigurationReports {
  readonly #log: Log;
  readonly #events: EventEmitter | undefined;

  /** @param options without `events` only the log is written */
  constructor({ log, events }: { readonly log: Log; readonly events?: EventEmitter }) {
    this.#log = log;
    this.#events = events;
  }

  /** Warnings of a document that the one before did not have. */
  warnings(document: ConfigDocument, before: ConfigDocument): void {
    logWarnings(this.#log, document, before);
  }

  /** A configuration is in force: for good, until it is confirmed, or as the one before a change that was taken back. */
  applied({ versionId: version, change }: Applied, by: ChangedBy, state: ConfigVersionState): void {
    const summary = summarize(change);
    this.#log.info('a configuration was applied', { version, summary, ...by });
    const facts = { version, by: by.who, origin: by.fromWhere, summary };
    if (state === 'rolled_back') this.#events?.emit('config_rolled_back', facts);
    else this.#events?.emit('config_applied', { ...facts, is_pending: state === 'pending' });
  }

  /** A part of the server could not follow a configuration that is in force. */
  partFailed(cause: unknown): void {
    this.#log.error('a part of the configuration could not be applied', { error: stackOf(cause) });
  }

  confirmed(version: number | null, by: ChangedBy): void {
    this.#log.info('a change of the configuration was confirmed', { version, ...by });
    this.#events?.emit('config_confirmed', { version, by: by.who, origin: by.fromWhere });
  }

  /** A change on probation is about to be taken back. */
  rollingBack(version: number | null, by: ChangedBy): void {
    this.#log.warn('a change of the configuration is taken back', { version, ...by });
  }

  /** The file was read and is not taken. @param detail what is wrong with it, in one line */
  refused(cause: unknown, detail: string): void {
    this.#log.error('the configuration file has a mistake and was rejected; the running configuration stays in force', {
      error: detail,
    });
    this.#events?.emit('config_refused', { code: cause instanceof AirdeskError ? cause.code : null, detail });
  }

  /** The file is overwritten against its mistakes or the edits of others. @param copy path of what was there */
  overwriting(copy: string | undefined): void {
    this.#log.warn('the configuration file is overwritten; a copy of it is kept', { copy });
  }
}
