import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { Config, StreamConfig } from '../config/config.ts';
import { diffConfigInSteps, type ConfigChange } from '../config/diff-config.ts';
import type { StreamOutput } from '../delivery/stream-output.ts';
import type { Engine } from '../engine/engine.ts';
import type { PublishAnswer, StreamSpec, StreamMeasurements } from '../engine/messages.ts';
import type { WorkedInput } from '../engine/work-mark.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import type { FailoverNotice } from '../ingest/failover-notice.ts';
import type { PublishRequest } from '../ingest/input.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { addressOfPeer } from '../lib/network-address.ts';
import { runInTurns } from '../lib/turns.ts';
import type { ResumePoint, RunWindow } from '../segment/run-window.ts';
import { CommandQueues } from './command-queues.ts';
import { findPublishTarget, isPublishStream, settingsOf, type PublishTarget } from './publish-policy.ts';
import { busyRefusal, limitRefusal } from './publish-refusal.ts';
import { StreamEvents } from './stream-events.ts';
import { StreamEntry } from './stream-entry.ts';
import { StreamQuarantine } from './stream-quarantine.ts';
import { StreamRuns } from './stream-runs.ts';

const SWEEP_MS = 1000;
/** Streams that are looked at between two looks at the clock. */
const SWEPT_PER_STEP = 20;

type AllowedTarget = Extract<PublishTarget, { allowed: true }>;

/** What the streams need. */
export interface StreamsOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Where events of streams are emitted; nowhere without it. */
  readonly events?: EventEmitter;
  /** The engine; it is started by the composition root. */
  readonly engine: () => Engine;
}

/**
 * All streams of the server: what is configured, what is published, and which run each has. What changes the run of a
 * stream is a command in the queue of its name, so that one is done before the next begins.
 */
export class Streams {
  /** Delivery side of every stream, by name. */
  readonly outputs = new Map<string, StreamOutput>();
  /** Inputs that ended their media thread. */
  readonly quarantine: StreamQuarantine;
  readonly #options: StreamsOptions;
  readonly #streamEvents: StreamEvents;
  readonly #entries = new Map<string, StreamEntry>();
  readonly #queues = new CommandQueues();
  readonly #runs: StreamRuns;
  #config: Config;
  #applying: Promise<unknown> = Promise.resolve();
  #changed = new Set<string>();
  #removed = new Set<string>();
  #cancelSweep: (() => void) | undefined;
  #isClosed = false;

  constructor(config: Config, options: StreamsOptions) {
    this.#config = { ...config, streams: new Map() };
    this.#options = options;
    this.#streamEvents = new StreamEvents(options);
    this.quarantine = new StreamQuarantine(options.clock, this.#streamEvents);
    this.#runs = new StreamRuns({
      clock: options.clock,
      engine: options.engine,
      streamEvents: this.#streamEvents,
      quarantine: this.quarantine,
      changed: ({ name }) => void this.#changed.add(name),
    });
  }

  /** Opens what is configured. */
  start(config: Config): void {
    void this.apply(config);
    void this.#sweep();
  }

  /** Resolves when every stream is there that the configuration wants. */
  get applied(): Promise<unknown> {
    return this.#applying;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelSweep?.();
    for (const entry of this.#entries.values()) entry.closeOutput();
  }

  get(name: string): StreamEntry | undefined {
    return this.#entries.get(name);
  }

  /** All streams in the order of their making. */
  list(): StreamEntry[] {
    return [...this.#entries.values()];
  }

  /** Names that changed or went since the last call. */
  takeChanges(): { readonly changed: ReadonlySet<string>; readonly removed: ReadonlySet<string> } {
    const changes = { changed: this.#changed, removed: this.#removed };
    this.#changed = new Set();
    this.#removed = new Set();
    return changes;
  }

  /** Applies a configuration: only what differs is touched. Resolves when all old runs have ended. */
  async apply(config: Config): Promise<void> {
    // The rules for publishers hold at once; the streams follow in short turns.
    const before = this.#config;
    this.#config = config;
    const turns = this.#applying.then(async () =>
      runInTurns(this.#applyChange(config, await runInTurns(diffConfigInSteps(before, config)))),
    );
    // One configuration after the other; the next does not wait for old runs to end.
    this.#applying = turns.catch(() => undefined);
    await Promise.all(await turns);
  }

  *#applyChange(config: Config, change: ConfigChange): Generator<void, Promise<void>[]> {
    const { added, removed, changed } = change.streams;
    const work: Promise<void>[] = [];
    for (const name of removed) {
      work.push(this.#queues.run(name, () => this.#remove(name)));
      yield;
    }
    for (const name of added) {
      const settings = settingsOf(config, name);
      if (settings) work.push(this.#queues.run(name, () => this.#add(name, settings)));
      yield;
    }
    for (const { name, mustRestart } of changed) {
      const settings = settingsOf(config, name);
      if (settings) work.push(this.#queues.run(name, () => this.#change(name, settings, mustRestart)));
      yield;
    }
    return work;
  }

  /** Closes a stream and opens it again; its publisher is disconnected. */
  async restart(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    if (!entry) throw new AirdeskError('stream_not_found', `There is no stream ${name}`);
    this.quarantine.release(entry, entry.inputs.map((_, index) => index).concat(entry.inputs.length));
    await this.#queues.run(name, () => this.#restart(name, false), 'restart');
  }

  /** Forgets a stream that a publisher made, and disconnects the publisher. A configured one stays. */
  async forget(name: string): Promise<void> {
    await this.#queues.run(name, () => this.#forget(name));
  }

  /**
   * A viewer asks for a stream that gives nothing: one that runs for its viewers only is opened.
   *
   * @returns whether it is worth waiting for
   */
  demand(name: string): boolean {
    const entry = this.#entries.get(name);
    if (!entry || !entry.isOnDemand) return false;
    entry.demanded(this.#options.clock.now());
    // What is under way looks at the demand when it is done: viewers do not queue.
    if (this.#queues.isBusy(name)) return true;
    void this.#queues.run(name, () => {
      this.#runs.open(entry, 'viewer');
    });
    return entry.runId !== undefined;
  }

  /** Puts an input on air, by its place in the configuration; null for the best one. Returns whether the stream runs. */
  select(entry: StreamEntry, index: number | null): boolean {
    if (entry.runId === undefined) return false;
    if (index !== null) this.quarantine.release(entry, [index]);
    this.#options.engine().selectInput(entry.runId, index);
    return true;
  }

  /** Something happened to the inputs of a run. */
  notice(runId: number, notice: FailoverNotice): void {
    const entry = this.#runs.of(runId);
    if (!entry) return;
    this.#streamEvents.notice(entry, notice);
    this.#changed.add(entry.name);
  }

  /** An input ended its media thread, which takes its streams with it. */
  inputAtFault({ stream, input }: WorkedInput, detail: string): void {
    const entry = this.#runs.of(stream);
    if (entry) this.quarantine.atFault(entry, input, detail);
  }

  /**
   * Decides about a publisher, whatever thread holds its connection.
   *
   * @param place hands the encoder to the engine, at the moment it is accepted: nothing comes between the two
   */
  async decidePublish(request: PublishRequest, place: (stream: StreamSpec) => void): Promise<PublishAnswer> {
    for (;;) {
      const config = this.#config;
      const target = findPublishTarget(config, request, this.#options.clock.now());
      if (!target.allowed) return this.#refuse(request, target.name, target);
      // While it waits, another configuration may not let it in, or know it by another name.
      const decide = (): PublishAnswer | undefined =>
        this.#config === config ? this.#accept(request, target, place) : undefined;
      const answer = await this.#queues.run(target.name, decide);
      if (answer) return answer;
    }
  }

  /** Admits a publisher that the configuration allows, if nothing else forbids it. */
  #accept(request: PublishRequest, target: AllowedTarget, place: (stream: StreamSpec) => void): PublishAnswer {
    const { name, settings, isConfigured } = target;
    const now = this.#options.clock.now();
    const known = this.#entries.get(name);
    const refusal =
      this.quarantine.refusal(request.peer) ??
      (known ? busyRefusal(known, now) : limitRefusal(this.#entries.values(), this.#config, settings.name, request));
    if (refusal) return this.#refuse(request, name, refusal);
    const entry = known ?? this.#create(name, settings, isConfigured);
    // It joins the stream on whatever thread that runs, in place of a dead publisher too.
    const stream = this.#runs.join(entry);
    entry.publisherCame(addressOfPeer(request.peer), now, stream.publication);
    this.#changed.add(name);
    this.#streamEvents.publisherCame(entry, request);
    place(stream);
    return { accepted: true, stream };
  }

  #refuse(
    request: PublishRequest,
    name: string | undefined,
    { code, detail }: { readonly code: string; readonly detail: string },
  ): PublishAnswer {
    this.refused(request, name, code, detail);
    return { accepted: false, code, detail };
  }

  /** A publisher was refused. @param name the stream that it wanted, where there is one */
  refused(request: PublishRequest, name: string | undefined, code: string, detail: string): void {
    this.#streamEvents.publisherRefused(request, name, code, detail);
    const known = name === undefined ? undefined : this.#entries.get(name);
    if (known) this.#noteRefusal(known, code, `${detail} (${request.peer})`);
  }

  #noteRefusal(entry: StreamEntry, code: string, detail: string): void {
    entry.refusals.add(code, detail, this.#options.clock.now());
    this.#changed.add(entry.name);
  }

  /** A publisher of a run is gone. @param publication its number: one that was replaced says so late; undefined for whichever is there */
  publishEnded(runId: number, publication?: number): void {
    const entry = this.#runs.of(runId);
    if (!entry || (publication !== undefined && publication !== entry.publication)) return;
    entry.publisherLeft(this.#options.clock.now());
    this.#changed.add(entry.name);
    this.#streamEvents.publisherLeft(entry);
    if (entry.isChangePending && entry.state.kind !== 'ending')
      void this.#queues.run(entry.name, () => this.#restart(entry.name, true));
  }

  /** The media thread of a run died. What has a picture of its own is opened again; an encoder comes back by itself. */
  lost(runId: number, end: ResumePoint, detail: string): void {
    const entry = this.#runs.of(runId);
    // The end of a run that is ended is answered to the one that asked for it.
    if (!entry || entry.state.kind === 'ending') return;
    const { name } = entry;
    this.notice(runId, { event: 'media_thread_failed', code: 'media_thread_failed', detail });
    this.#noteRefusal(entry, 'media_thread_failed', detail);
    this.#runs.lost(runId, entry, end);
    entry.publisherLeft(this.#options.clock.now());
    void this.#queues.run(name, () => {
      const known = this.#entries.get(name);
      if (known?.isChangePending) return this.#restart(name, true);
      if (known) this.#runs.open(known, 'restart');
      return undefined;
    });
  }

  /** The window of a run that has not ended. Throws where there is none. */
  windowOf(runId: number): RunWindow {
    return this.#runs.windowOf(runId);
  }

  /** Takes measurements. */
  status(statuses: readonly StreamMeasurements[]): void {
    for (const status of statuses) {
      const entry = this.#runs.of(status.id);
      if (!entry) continue;
      entry.measured(status);
      this.#streamEvents.measured(entry, status.tracks);
      this.#changed.add(entry.name);
    }
  }

  async #add(name: string, settings: StreamConfig): Promise<void> {
    const known = this.#entries.get(name);
    // An encoder came while the configuration was put into force, and has its stream already.
    if (known?.isConfigured) return;
    if (known) await this.#adopt(known, settings);
    else this.#runs.open(this.#create(name, settings, true), 'configured');
  }

  /** A stream that a publisher made is in the configuration now. What may be published there goes on without a break. */
  async #adopt(entry: StreamEntry, settings: StreamConfig): Promise<void> {
    const isPending = entry.isPublished && isPublishStream(settings) && !settings.isDisabled;
    entry.configure(settings, isPending);
    this.#changed.add(entry.name);
    this.#streamEvents.settingsChanged(entry);
    if (!isPending) await this.#restart(entry.name, true);
  }

  async #change(name: string, settings: StreamConfig, mustRestart: boolean): Promise<void> {
    const entry = this.#entries.get(name);
    if (!entry) return;
    entry.configure(settings);
    this.#changed.add(name);
    if (mustRestart) await this.#restart(name, true);
    else this.#streamEvents.settingsChanged(entry);
  }

  #create(name: string, settings: StreamEntry['settings'], isConfigured: boolean): StreamEntry {
    const entry = new StreamEntry(name, settings, isConfigured, this.#options.clock.now());
    this.#entries.set(name, entry);
    this.outputs.set(name, entry.output);
    this.#changed.add(name);
    this.#removed.delete(name);
    return entry;
  }

  async #restart(name: string, isChanged: boolean): Promise<void> {
    const entry = this.#entries.get(name);
    if (!entry) return;
    const wasOpen = entry.runId !== undefined;
    if (wasOpen) await this.#runs.end(entry, 'restart');
    if (isChanged) this.#renewWindow(entry);
    this.#runs.open(entry, wasOpen ? 'restart' : 'configured');
  }

  /** Closes a stream without viewers; what is left of it would be old when the next viewer comes. */
  async #rest(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    if (!entry) return;
    const sinceMs = this.#options.clock.now();
    await this.#runs.end(entry, 'no_viewers');
    this.#renewWindow(entry);
    if (entry.demandedMs >= sinceMs) this.#runs.open(entry, 'viewer');
  }

  #renewWindow(entry: StreamEntry): void {
    entry.renewWindow();
    this.outputs.set(entry.name, entry.output);
  }

  async #forget(name: string): Promise<void> {
    if (this.#entries.get(name)?.isConfigured === false) await this.#remove(name);
  }

  async #remove(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    if (!entry) return;
    this.#entries.delete(name);
    this.outputs.delete(name);
    this.#changed.delete(name);
    this.#removed.add(name);
    await this.#runs.end(entry, 'removed');
    entry.closeOutput();
    this.#changed.delete(name);
  }

  async #sweep(): Promise<void> {
    await runInTurns(this.#sweepInSteps());
    if (this.#isClosed) return;
    this.#cancelSweep = this.#options.clock.after(SWEEP_MS, () => void this.#sweep());
  }

  *#sweepInSteps(): Generator<void, void> {
    const now = this.#options.clock.now();
    let count = 0;
    for (const entry of this.#entries.values()) {
      entry.output.sweep(now);
      // What has a command under way is left to the next sweep.
      if (!this.#queues.isBusy(entry.name)) this.#endUnused(entry, now);
      if (++count % SWEPT_PER_STEP === 0) yield;
    }
  }

  #endUnused(entry: StreamEntry, now: number): void {
    const { name } = entry;
    // Another stream that shows it is a viewer, too.
    if (entry.isOnDemand && this.#options.engine().isCopied(name)) this.demand(name);
    if (entry.isAbandoned(now)) void this.#queues.run(name, () => this.#rest(name));
    else if (entry.isForgotten(now)) void this.#queues.run(name, () => this.#remove(name));
  }
}
