import type { Config } from '../config/config.ts';
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
import type { StreamEntry } from './stream-entry.ts';
import { StreamEvents } from './stream-events.ts';
import { StreamQuarantine } from './stream-quarantine.ts';
import { StreamRegistry } from './stream-registry.ts';
import { StreamRuns } from './stream-runs.ts';
import { StreamSweep } from './stream-sweep.ts';

/** What the streams need. */
export interface StreamsOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Where events of streams are emitted; nowhere without it. */
  readonly events?: EventEmitter;
  /** Called when a run of a stream begins: who records it reads its events. Default: none does. */
  readonly begun?: (entry: StreamEntry) => void;
  /** Whether something of a stream is recorded: a published one then stays when its encoder is gone for good. Default: no. */
  readonly hasArchive?: (name: string) => Promise<boolean>;
  /** The engine; it is started by the composition root. */
  readonly engine: () => Engine;
}

/** All streams of the server: what is configured, what is published, and which run each has. Joins the parts that know how. */
export class Streams {
  /** Encoders that publish streams. */
  readonly publishing: Publishing;
  /** What the engine reports of the runs. */
  readonly reports: RunReports;
  /** Inputs that ended their media thread. */
  readonly quarantine: StreamQuarantine;
  readonly #registry = new StreamRegistry();
  readonly #runs: StreamRuns;
  readonly #commands: StreamCommands;
  readonly #changes: StreamChanges;
  readonly #sweep: StreamSweep;

  constructor(config: Config, options: StreamsOptions) {
    const { clock, engine } = options;
    const registry = this.#registry;
    const streamEvents = new StreamEvents(options);
    const quarantine = new StreamQuarantine(clock, streamEvents);
    const runs = new StreamRuns({
      clock,
      engine,
      streamEvents,
      quarantine,
      begun: (entry) => options.begun?.(entry),
      changed: ({ name }) => {
        registry.changed(name);
      },
    });
    const commands = new StreamCommands({
      ...{ clock, engine, registry, runs, quarantine, streamEvents },
      template: (name) => publishTemplate(this.#changes.config, name),
      hasArchive: options.hasArchive ?? (() => Promise.resolve(false)),
    });
    const parts = { clock, registry, commands, runs, quarantine, streamEvents };
    this.quarantine = quarantine;
    this.publishing = new Publishing({ ...parts, config: () => this.#changes.config });
    this.reports = new RunReports(parts);
    this.#runs = runs;
    this.#commands = commands;
    this.#changes = new StreamChanges(config, commands);
    this.#sweep = new StreamSweep(clock, registry, commands);
  }

  /** Opens what is configured. */
  start(config: Config): void {
    void this.apply(config);
    this.#sweep.start();
  }

  /** Resolves when every stream is there that the configuration wants. */
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

  /** All streams in the order of their making. */
  list(): StreamEntry[] {
    return [...this.#registry.all()];
  }

  /** Names that changed or went since the last call. @param follows whether there will be another call; those that go before it are gathered only then */
  takeChanges(follows = true): { readonly changed: ReadonlySet<string>; readonly removed: ReadonlySet<string> } {
    return this.#registry.takeChanges(follows);
  }

  /** The window of a run that has not ended. Throws where there is none. */
  windowOf(runId: number): RunWindow {
    return this.#runs.windowOf(runId);
  }

  /** Applies a configuration: only what differs is touched. Resolves when all old runs have ended. */
  apply(config: Config): Promise<void> {
    return this.#changes.apply(config);
  }

  /** Closes a stream and opens it again; its publisher is disconnected. Raises `stream_not_found`. */
  restart(name: string): Promise<void> {
    return this.#commands.restart(name);
  }

  /** Makes a stream of an archive under a live prefix or template, where there is none yet. Returns the stream of the name; undefined where nothing is published so. */
  keepArchive(name: string): Promise<StreamEntry | undefined> {
    return this.#commands.keepArchive(name);
  }

  /** Forgets a stream of which nothing but its archive was left, because that is gone, too. */
  dropArchive(name: string): Promise<void> {
    return this.#commands.dropArchive(name);
  }

  /** Disconnects the publisher of a stream that it made, and forgets the stream where it has no archive. A configured one stays. Raises `stream_archived` where nothing but the archive is there. */
  forget(name: string): Promise<void> {
    return this.#commands.forget(name);
  }

  /** A viewer asks for a stream that gives nothing: one that runs for its viewers only is opened. Returns whether it is worth waiting for. */
  demand(name: string): boolean {
    return this.#commands.demand(name);
  }

  /** A desk shows a stream closely: for a while its open parts come in chunks, too. Asked again for as long as it does. */
  wantChunks(name: string): void {
    this.#commands.wantChunks(name);
  }

  /** Puts an input on air, by its place in the configuration; null for the best one. Returns whether the stream runs. */
  select(entry: StreamEntry, index: number | null): boolean {
    return this.#commands.select(entry, index);
  }

  /** Marks a splice point in a stream. Returns whether the stream runs. @param atMs when it takes effect, in epoch milliseconds */
  splice(entry: StreamEntry, section: Uint8Array, atMs: number): boolean {
    return this.#commands.splice(entry, section, atMs);
  }
}
