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

export class ConfigurationReports {
  readonly #log: Log;
  readonly #events: EventEmitter | undefined;

  /** @param options without `events`, only the log is written */
  constructor({ log, events }: { readonly log: Log; readonly events?: EventEmitter }) {
    this.#log = log;
    this.#events = events;
  }

  /** Reports the warnings that the previous document did not have. */
  warnings(document: ConfigDocument, before: ConfigDocument): void {
    logWarnings(this.#log, document, before);
  }

  /** Reports a configuration in force: permanent, on probation, or restored by a rollback. */
  applied({ versionId: version, change }: Applied, by: ChangedBy, state: ConfigVersionState): void {
    const { summary, changes } = summarize(change);
    this.#log.info('a configuration was applied', { version, summary, ...by });
    const facts = { version, by: by.who, origin: by.fromWhere, summary, changes };
    if (state === 'rolled_back') this.#events?.emit('config_rolled_back', facts);
    else this.#events?.emit('config_applied', { ...facts, is_pending: state === 'pending' });
  }

  /** Reports that a part of the server could not follow the configuration in force. */
  partFailed(cause: unknown): void {
    this.#log.error('a part of the configuration could not be applied', { error: stackOf(cause) });
  }

  confirmed(version: number | null, by: ChangedBy): void {
    this.#log.info('a change of the configuration was confirmed', { version, ...by });
    this.#events?.emit('config_confirmed', { version, by: by.who, origin: by.fromWhere });
  }

  /** Reports that a change on probation is about to be rolled back. */
  rollingBack(version: number | null, by: ChangedBy): void {
    this.#log.warn('a change of the configuration is rolled back', { version, ...by });
  }

  /** Reports that the file cannot be used. @param detail mistake in the file, in one line */
  refused(cause: unknown, detail: string): void {
    this.#log.error('the configuration file cannot be used; the previous configuration stays in force', {
      error: detail,
    });
    this.#events?.emit('config_refused', { code: cause instanceof AirdeskError ? cause.code : null, detail });
  }

  /** Reports that the file is overwritten despite its mistakes or external edits. @param copy path of the copy of the old file */
  overwriting(copy: string | undefined): void {
    this.#log.warn('a configuration file with mistakes or external edits is overwritten; its text is kept in a copy', {
      copy,
    });
  }
}
