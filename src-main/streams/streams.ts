import type { PushStateObject } from '../../src-preload/contract/api/push-object.ts';
import type { Config } from '../config/schema/config.ts';
import type { StreamOutput } from '../delivery/stream-output.ts';
import type { Engine } from '../engine/engine.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { RunWindow } from '../segment/run-window.ts';
import { publishTemplate } from './publish-policy.ts';
import { Publishing } from './publishing.ts';
import { RunReports } from './run-reports.ts';
import { StreamChanges } from './stream-changes.ts';
import { StreamCommands } from './stream-commands.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { StreamEntry } from './stream-entry.ts';
import { PushIds, pushStates, type IdentifiedPush } from './stream-pushes.ts';
import { StreamEvents } from './stream-events.ts';
import { StreamQuarantine } from './stream-quarantine.ts';
import { StreamRegistry } from './stream-registry.ts';
import { StreamRuns } from './stream-runs.ts';
import { StreamSweep } from './stream-sweep.ts';
import { NO_TRANSMISSIONS, type TransmissionLog } from './transmission-log.ts';

export interface StreamsOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Receives events of streams; default: none. */
  readonly events?: EventEmitter;
  /** Called when a run of a stream starts, so that a recorder can read its events. Default: no call. */
  readonly started?: (entry: StreamEntry) => void;
  /**
   * Reports whether a stream has an archive. A published stream with an archive stays when its encoder has left for
   * good. Default: no.
   */
  readonly hasArchive?: (name: string) => Promise<boolean>;
  /** Keyed digest of a text, for ids that do not reveal it. Default: with a random key, so that ids change at a start. */
  readonly digestOf?: (text: Uint8Array) => Uint8Array;
  /** Log of the transmissions of pushes; default: none. */
  readonly transmissions?: TransmissionLog;
  /** Engine, started by the composition root. */
  readonly engine: () => Engine;
}

/** All streams of the server, configured and published, with their runs. */
export class Streams {
  /** Encoders that publish streams. */
  readonly publishing: Publishing;
  /** Reports of the engine about runs. */
  readonly reports: RunReports;
  /** Inputs that ended their media thread. */
  readonly quarantine: StreamQuarantine;
  readonly #clock: Clock;
  readonly #registry = new StreamRegistry();
  readonly #runs: StreamRuns;
  readonly #commands: StreamCommands;
  readonly #changes: StreamChanges;
  readonly #sweep: StreamSweep;
  readonly #pushIds: PushIds;
  readonly #transmissions: TransmissionLog;

  constructor(config: Config, options: StreamsOptions) {
    const { clock, engine } = options;
    this.#clock = clock;
    const registry = this.#registry;
    const streamEvents = new StreamEvents(options);
    const quarantine = new StreamQuarantine(clock, streamEvents);
    const runs = new StreamRuns({
      clock,
      engine,
      streamEvents,
      quarantine,
      started: (entry) => options.started?.(entry),
      changed: ({ name }) => {
        registry.changed(name);
      },
    });
    const commands = new StreamCommands({
      clock,
      engine,
      registry,
      runs,
      quarantine,
      streamEvents,
      template: (name) => publishTemplate(this.#changes.config, name),
      hasArchive: options.hasArchive ?? (() => Promise.resolve(false)),
    });
    const parts = { clock, registry, commands, runs, quarantine, streamEvents };
    this.quarantine = quarantine;
    this.publishing = new Publishing({ ...parts, config: () => this.#changes.config });
    this.#transmissions = options.transmissions ?? NO_TRANSMISSIONS;
    this.#pushIds = new PushIds(options.digestOf);
    const targetId = (name: string, url: string): string => this.#pushIds.ofTarget(name, url);
    this.reports = new RunReports({ ...parts, transmissions: this.#transmissions, targetId });
    this.#runs = runs;
    this.#commands = commands;
    this.#changes = new StreamChanges(config, commands);
    this.#sweep = new StreamSweep(clock, registry, commands);
  }

  /** Opens the configured streams. */
  start(config: Config): void {
    void this.apply(config);
    this.#sweep.start();
  }

  /** Resolves when all configured streams exist. */
  get applied(): Promise<unknown> {
    return this.#changes.applied;
  }

  close(): void {
    this.#sweep.close();
    this.#registry.close();
  }

  /** Delivery side of every stream, by name. */
  get outputs(): ReadonlyMap<string, StreamOutput> {
    return this.#registry.outputs;
  }

  get(name: string): StreamEntry | undefined {
    return this.#registry.get(name);
  }

  /** All streams in order of creation. */
  list(): StreamEntry[] {
    return [...this.#registry.all()];
  }

  /** States of the pushes of a stream. Throws `stream_not_found`. */
  pushes(name: string): PushStateObject[] {
    const entry = this.#registry.get(name);
    if (!entry) throw new AirdeskError('stream_not_found', `There is no stream ${name}`);
    const ids = entry.settings.pushes.map((push) => this.pushId(name, push));
    return pushStates(entry, { nowMs: this.#clock.now() }).map((state) => ({ id: ids[state.index] ?? '', ...state }));
  }

  /** Id of a push of a stream. */
  pushId(name: string, push: IdentifiedPush): string {
    return this.#pushIds.of(name, push);
  }

  /** Transmissions of the pushes of a stream, newest first. @param pushId id of a push; default: all */
  transmissions(name: string, pushId?: string): ReturnType<TransmissionLog['list']> {
    if (pushId === undefined) return this.#transmissions.list(name);
    const push = this.get(name)?.settings.pushes.find((other) => this.pushId(name, other) === pushId);
    return push ? this.#transmissions.list(name, this.#pushIds.ofTarget(name, push.url)) : [];
  }

  /**
   * Names of changed and removed streams since the last call.
   *
   * @param follows true if another call will follow; only then are the names of streams that are removed until then kept
   */
  takeChanges(follows = true): { readonly changed: ReadonlySet<string>; readonly removed: ReadonlySet<string> } {
    return this.#registry.takeChanges(follows);
  }

  /** Window of a run that has not ended. Throws if there is none. */
  windowOf(runId: number): RunWindow {
    return this.#runs.windowOf(runId);
  }

  /** Applies a configuration; unchanged streams are not touched. Resolves when all old runs have ended. */
  apply(config: Config): Promise<void> {
    return this.#changes.apply(config);
  }

  /** Closes a stream and opens it again; its publisher is disconnected. Throws `stream_not_found`. */
  restart(name: string): Promise<void> {
    return this.#commands.restart(name);
  }

  /**
   * Creates a stream for an archive under a live prefix or template, if it does not exist. Returns the stream of the
   * name; undefined if encoders cannot publish it.
   */
  ensureArchiveStream(name: string): Promise<StreamEntry | undefined> {
    return this.#commands.ensureArchiveStream(name);
  }

  /** Removes a stream that only had an archive, because the archive was deleted. */
  dropArchive(name: string): Promise<void> {
    return this.#commands.dropArchive(name);
  }

  /**
   * Disconnects the publisher of an unconfigured stream, and removes the stream if it has no archive. A configured
   * stream stays. Throws `stream_archived` if only the archive is left.
   */
  forget(name: string): Promise<void> {
    return this.#commands.forget(name);
  }

  /** Opens an on-demand stream for a viewer. Returns whether the viewer should wait for media. */
  demand(name: string): boolean {
    return this.#commands.demand(name);
  }

  /** Requests the open parts of a stream in chunks for some seconds; repeated while a desk plays its live feed. */
  wantChunks(name: string): void {
    this.#commands.wantChunks(name);
  }

  /**
   * Puts an input on air, by its index in the configuration; null for the best one. Returns false if the stream does
   * not run.
   */
  select(entry: StreamEntry, index: number | null): boolean {
    return this.#commands.select(entry, index);
  }

  /**
   * Inserts a splice point into a stream; returns false if the stream does not run.
   * @param atMs splice time, in epoch milliseconds
   */
  splice(entry: StreamEntry, section: Uint8Array, atMs: number): boolean {
    return this.#commands.splice(entry, section, atMs);
  }
}
