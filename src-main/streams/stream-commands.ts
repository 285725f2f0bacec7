import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { StreamConfig, TemplateConfig } from '../config/schema/config.ts';
import type { Engine } from '../engine/engine.ts';
import type { Clock } from '../lib/clock.ts';
import { CommandQueues } from './command-queues.ts';
import { hasDuePush, pushSpecs } from './stream-pushes.ts';
import { isPublishStream } from './publish-policy.ts';
import type { StreamEntry } from './stream-entry.ts';
import type { StreamEvents } from './stream-events.ts';
import type { StreamQuarantine } from './stream-quarantine.ts';
import type { StreamRegistry } from './stream-registry.ts';
import type { StreamRuns } from './stream-runs.ts';

/** Time for which a stream produces chunks after a request, in milliseconds; requests come twice a second. */
const CHUNKS_MS = 3000;

export interface StreamCommandsOptions {
  readonly clock: Clock;
  readonly engine: () => Engine;
  readonly registry: StreamRegistry;
  readonly runs: StreamRuns;
  readonly quarantine: StreamQuarantine;
  readonly streamEvents: StreamEvents;
  /** Live prefix or template under which encoders publish a name, in the current configuration. */
  readonly template: (name: string) => TemplateConfig | undefined;
  /** Reports whether a stream has an archive. */
  readonly hasArchive: (name: string) => Promise<boolean>;
}

/** Commands that change the run of a stream, queued by name, so that one command ends before the next starts. */
export class StreamCommands {
  readonly #options: StreamCommandsOptions;
  readonly #queues = new CommandQueues();

  constructor(options: StreamCommandsOptions) {
    this.#options = options;
  }

  /** Runs a command in its turn. */
  inTurn<T>(name: string, command: () => T | Promise<T>): Promise<T> {
    return this.#queues.run(name, command);
  }

  /** Adds a stream of the configuration. */
  add(name: string, settings: StreamConfig): Promise<void> {
    return this.inTurn(name, () => this.#add(name, settings));
  }

  /**
   * Changes the settings of a configured stream.
   * @param mustRestart true if they need a new run
   */
  change(name: string, settings: StreamConfig, mustRestart: boolean): Promise<void> {
    return this.inTurn(name, () => this.#change(name, settings, mustRestart));
  }

  /** Removes a stream permanently and ends its run. */
  remove(name: string): Promise<void> {
    return this.inTurn(name, () => this.#remove(name));
  }

  /** Closes a stream and opens it again; its publisher is disconnected. Throws `stream_not_found`. */
  async restart(name: string): Promise<void> {
    const { registry, quarantine } = this.#options;
    const entry = registry.get(name);
    if (!entry) throw new AirdeskError('stream_not_found', `There is no stream ${name}`);
    // The index after the last input is the backup.
    quarantine.release(entry, entry.inputs.map((_, index) => index).concat(entry.inputs.length));
    await this.#queues.run(name, () => this.#restart(name, false), 'restart');
  }

  /** Applies settings that waited until the publisher left. */
  renew(name: string): Promise<void> {
    return this.inTurn(name, () => this.#restart(name, true));
  }

  /** Opens a stream again after its run was lost, if it can play without an encoder. */
  reopen(name: string): Promise<void> {
    return this.inTurn(name, () => {
      const entry = this.#options.registry.get(name);
      if (entry?.isChangePending) return this.#restart(name, true);
      if (entry) this.#options.runs.open(entry, 'restart');
      return undefined;
    });
  }

  /**
   * Disconnects the publisher of an unconfigured stream, and removes the stream if it has no archive. A configured
   * stream stays. Throws `stream_archived`.
   */
  forget(name: string): Promise<void> {
    return this.inTurn(name, async () => {
      const entry = this.#options.registry.get(name);
      if (entry?.isArchiveOnly === true)
        throw new AirdeskError(
          'stream_archived',
          `Only the archive of ${name} remains; the stream is removed with its last block`,
        );
      if (entry?.isConfigured === false) await this.#forget(entry);
    });
  }

  /**
   * Creates an archive-only stream for a name under a live prefix or template.
   *
   * @returns the stream of the name, also if it existed
   */
  ensureArchiveStream(name: string): Promise<StreamEntry | undefined> {
    return this.inTurn(name, () => {
      const { registry, template, clock } = this.#options;
      const existing = registry.get(name);
      const settings = existing ? undefined : template(name);
      if (!settings) return existing;
      const entry = registry.create(name, settings, false, clock.now());
      entry.keepArchive();
      return entry;
    });
  }

  /** Removes a stream that consists of its archive only. */
  dropArchive(name: string): Promise<void> {
    return this.inTurn(name, async () => {
      if (this.#options.registry.get(name)?.isArchiveOnly === true) await this.#remove(name);
    });
  }

  /**
   * Applies changed live prefixes or templates to the streams published under them, in steps.
   *
   * @param mustRestart reports whether the change of a template needs a new run of its streams
   */
  *followTemplates(mustRestart: (template: TemplateConfig) => boolean): Generator<void, Promise<void>[]> {
    const { registry, template } = this.#options;
    const work: Promise<void>[] = [];
    for (const { name, isConfigured } of registry.all()) {
      if (!isConfigured)
        work.push(
          this.inTurn(name, () => {
            const now = template(name);
            return this.#follow(name, now, now !== undefined && mustRestart(now));
          }),
        );
      yield;
    }
    return work;
  }

  /** Opens an on-demand stream for a viewer. @returns whether the viewer should wait for media */
  demand(name: string): boolean {
    const { registry, runs, clock } = this.#options;
    const entry = registry.get(name);
    if (!entry || !entry.isOnDemand) return false;
    entry.demanded(clock.now());
    // A running command checks the demand when it ends, so viewers do not queue commands.
    if (this.#queues.isBusy(name)) return true;
    void this.inTurn(name, () => {
      runs.open(entry, 'viewer');
    });
    return entry.runId !== undefined;
  }

  /** Requests the open parts of a stream in chunks for some seconds; repeated while a desk plays its live feed. */
  wantChunks(name: string): void {
    const { registry, clock, engine } = this.#options;
    const runId = registry.get(name)?.runId;
    if (runId !== undefined) engine().wantChunks(runId, clock.now() + CHUNKS_MS);
  }

  /**
   * Puts an input on air, by its index in the configuration; null for the best one. Returns false if the stream does
   * not run.
   */
  select(entry: StreamEntry, index: number | null): boolean {
    if (entry.runId === undefined) return false;
    if (index !== null) this.#options.quarantine.release(entry, [index]);
    this.#options.engine().selectInput(entry.runId, index);
    return true;
  }

  /**
   * Inserts a splice point into a stream; returns false if the stream does not run.
   * @param atMs splice time, in epoch milliseconds
   */
  splice(entry: StreamEntry, section: Uint8Array, atMs: number): boolean {
    return entry.runId !== undefined && this.#options.engine().splice(entry.runId, section, atMs);
  }

  /** Ends the run of a stream without viewers, and removes a stream that its publisher left. */
  endUnused(entry: StreamEntry, nowMs: number): void {
    const { name } = entry;
    // A stream with a running command is checked again later.
    if (this.#queues.isBusy(name)) return;
    // A stream that copies this stream counts as a viewer, and so does a push.
    if (entry.isOnDemand && (hasDuePush(entry.settings, nowMs) || this.#options.engine().isCopied(name)))
      this.demand(name);
    if (entry.isAbandoned(nowMs)) void this.inTurn(name, () => this.#closeUnwatched(name));
    else if (entry.isDueForRemoval(nowMs)) void this.inTurn(name, () => this.#forget(entry));
  }

  async #add(name: string, settings: StreamConfig): Promise<void> {
    const { registry, runs, clock } = this.#options;
    const existing = registry.get(name);
    // An encoder may have created the stream while the configuration was applied.
    if (existing?.isConfigured) return;
    if (existing) await this.#adopt(existing, settings);
    else runs.open(registry.create(name, settings, true, clock.now()), 'configured');
  }

  /** Turns a published stream into a configured one. A publisher that is still allowed continues without a break. */
  async #adopt(entry: StreamEntry, settings: StreamConfig): Promise<void> {
    const isPending = entry.isPublished && isPublishStream(settings) && !settings.isDisabled;
    entry.configure(settings, isPending);
    this.#options.registry.changed(entry.name);
    this.#settingsChanged(entry);
    if (!isPending) await this.#restart(entry.name, true);
  }

  async #follow(name: string, template: TemplateConfig | undefined, mustRestart: boolean): Promise<void> {
    const { registry } = this.#options;
    const entry = registry.get(name);
    if (!entry || entry.isConfigured || entry.settings === template) return;
    if (!template) {
      // No template sets rules for its viewers any more, so a stream that consists of its archive only is removed. A
      // stream with a publisher continues until the publisher leaves.
      if (entry.isArchiveOnly) await this.#remove(name);
      return;
    }
    // All settings may differ under another prefix.
    const isRestarted = mustRestart || entry.prefix !== template.name;
    entry.followTemplate(template, isRestarted && entry.isPublished);
    registry.changed(name);
    if (!isRestarted || entry.isPublished) this.#settingsChanged(entry);
    else if (entry.isArchiveOnly) registry.renewWindow(entry);
    else await this.#restart(name, true);
  }

  async #change(name: string, settings: StreamConfig, mustRestart: boolean): Promise<void> {
    const { registry } = this.#options;
    const entry = registry.get(name);
    if (!entry) return;
    entry.configure(settings);
    registry.changed(name);
    if (mustRestart) await this.#restart(name, true);
    else this.#settingsChanged(entry);
  }

  /** Applies settings that need no new run. */
  #settingsChanged(entry: StreamEntry): void {
    const { engine, streamEvents } = this.#options;
    if (entry.runId !== undefined) engine().push(entry.runId, pushSpecs(entry.settings));
    streamEvents.settingsChanged(entry);
  }

  async #restart(name: string, isChanged: boolean): Promise<void> {
    const { registry, runs } = this.#options;
    const entry = registry.get(name);
    if (!entry) return;
    const wasOpen = entry.runId !== undefined;
    if (wasOpen) await runs.end(entry, 'restart');
    entry.isRecordingSwitched = undefined;
    if (isChanged) registry.renewWindow(entry);
    runs.open(entry, wasOpen ? 'restart' : 'configured');
  }

  /** Closes a stream without viewers and clears its window, which would be outdated for the next viewer. */
  async #closeUnwatched(name: string): Promise<void> {
    const { registry, runs, clock } = this.#options;
    const entry = registry.get(name);
    if (!entry) return;
    const sinceMs = clock.now();
    await runs.end(entry, 'no_viewers');
    registry.renewWindow(entry);
    if (entry.demandedMs >= sinceMs) runs.open(entry, 'viewer');
  }

  /** Ends a published stream whose encoder has left for good, or must leave; keeps its archive. */
  async #forget(entry: StreamEntry): Promise<void> {
    const { registry, runs, template, hasArchive } = this.#options;
    const { name } = entry;
    if (entry.isArchiveOnly || registry.get(name) !== entry) return;
    if (!template(name) || !(await hasArchive(name))) {
      await this.#remove(name);
      return;
    }
    await runs.end(entry, 'publisher_left');
    entry.keepArchive();
    registry.renewWindow(entry);
    registry.changed(name);
  }

  async #remove(name: string): Promise<void> {
    const { registry, runs } = this.#options;
    const entry = registry.get(name);
    if (!entry) return;
    registry.remove(name);
    await runs.end(entry, 'removed');
    entry.closeOutput();
  }
}
