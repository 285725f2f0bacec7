import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { Config, StreamConfig } from '../config/config.ts';
import { diffConfigInSteps, type ConfigChange } from '../config/diff-config.ts';
import type { StreamOutput } from '../delivery/stream-output.ts';
import type { Engine } from '../engine/engine.ts';
import type { PublishAnswer, StreamStatus } from '../engine/messages.ts';
import type { StreamEnd } from '../engine/resume-point.ts';
import type { WorkedInput } from '../engine/work-mark.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import type { FailoverNotice } from '../ingest/failover-notice.ts';
import type { PublishRequest } from '../ingest/input.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { runInTurns } from '../lib/turns.ts';
import { releaseEvents } from '../segment/live-window.ts';
import type { WindowEvent } from '../segment/window-event.ts';
import { isAbandoned, isOnDemand } from './on-demand.ts';
import { findPublishTarget, hasOwnPicture, isPublishStream, settingsOf } from './publish-policy.ts';
import { busyRefusal, limitRefusal } from './publish-refusal.ts';
import { StreamEntry } from './stream-entry.ts';
import { StreamQuarantine } from './stream-quarantine.ts';
import { addressOf, StreamEvents } from './stream-events.ts';

const SWEEP_MS = 1000;
/** Streams that are looked at between two looks at the clock. */
const SWEPT_PER_STEP = 20;

/** Why a stream is closed. */
type RunEnd = 'removed' | 'restart' | 'no_viewers';

/** What the streams need. */
export interface StreamsOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Where it is told what becomes of streams; nowhere without it. */
  readonly events?: EventEmitter;
  /** The engine; it is started by the composition root. */
  readonly engine: () => Engine;
}

/** All streams of the server: what is configured, what is published, and where each lives. */
export class Streams {
  /** Delivery side of every stream, by name. */
  readonly outputs = new Map<string, StreamOutput>();
  readonly #options: StreamsOptions;
  readonly #streamEvents: StreamEvents;
  readonly #quarantine: StreamQuarantine;
  readonly #entries = new Map<string, StreamEntry>();
  readonly #byRun = new Map<number, StreamEntry>();
  #config: Config;
  #applying: Promise<unknown> = Promise.resolve();
  #nextRun = 1;
  #changed = new Set<string>();
  #removed = new Set<string>();
  #cancelSweep: (() => void) | undefined;
  #isClosed = false;

  constructor(config: Config, options: StreamsOptions) {
    this.#config = { ...config, streams: new Map() };
    this.#options = options;
    this.#streamEvents = new StreamEvents(options);
    this.#quarantine = new StreamQuarantine(options.clock, this.#streamEvents);
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
    for (const output of this.outputs.values()) output.close();
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

  /** Applies a configuration: only what differs is touched. Resolves when all old lives have ended. */
  async apply(config: Config): Promise<void> {
    // The rules for publishers hold at once; the streams follow in short turns.
    const before = this.#config;
    this.#config = config;
    const turns = this.#applying.then(async () =>
      runInTurns(this.#applyChange(config, await runInTurns(diffConfigInSteps(before, config)))),
    );
    // One configuration after the other; how long old lives take to end is nobody else's matter.
    this.#applying = turns.catch(() => undefined);
    await Promise.all(await turns);
  }

  *#applyChange(config: Config, change: ConfigChange): Generator<void, Promise<void>[]> {
    const { added, removed, changed } = change.streams;
    const work: Promise<void>[] = [];
    for (const name of removed) {
      work.push(this.#remove(name));
      yield;
    }
    for (const name of added) {
      const settings = settingsOf(config, name);
      if (settings) work.push(this.#add(name, settings));
      yield;
    }
    for (const { name, mustRestart } of changed) {
      const settings = settingsOf(config, name);
      const entry = this.#entries.get(name);
      if (!settings || !entry) continue;
      entry.settings = settings;
      this.#changed.add(name);
      if (mustRestart) work.push(this.#restartEntry(entry, true));
      else this.#streamEvents.settingsChanged(entry);
      yield;
    }
    return work;
  }

  /** Closes a stream and opens it again; its publisher is disconnected. */
  async restart(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    if (!entry) throw new AirdeskError('stream_not_found', `There is no stream ${name}`);
    this.#quarantine.release(entry, entry.inputs.map((_, index) => index).concat(entry.inputs.length));
    await this.#restartEntry(entry, false);
  }

  /** Forgets a stream that a publisher made, and disconnects the publisher. */
  async forget(name: string): Promise<void> {
    await this.#remove(name);
  }

  /**
   * A viewer asks for a stream that gives nothing: one that runs for its viewers only is opened.
   *
   * @returns whether it is worth waiting for
   */
  demand(name: string): boolean {
    const entry = this.#entries.get(name);
    if (!entry || !isOnDemand(entry)) return false;
    entry.demandedMs = this.#options.clock.now();
    if (entry.ending === undefined && entry.runId === undefined && hasOwnPicture(entry.settings)) {
      this.#open(entry, 'viewer');
    }
    return entry.runId !== undefined || entry.ending !== undefined;
  }

  /** Puts an input on air, by its place in the configuration; null for the best one. Returns whether the stream runs. */
  select(entry: StreamEntry, index: number | null): boolean {
    if (entry.runId === undefined) return false;
    if (index !== null) this.#quarantine.release(entry, [index]);
    this.#options.engine().selectInput(entry.runId, index);
    return true;
  }

  /** Something happened to the inputs of a life. */
  notice(runId: number, notice: FailoverNotice): void {
    const entry = this.#byRun.get(runId);
    if (!entry) return;
    this.#streamEvents.notice(entry, notice);
    this.#changed.add(entry.name);
  }

  /** An input ended its media thread, which takes its streams with it. */
  inputAtFault({ stream, input }: WorkedInput, detail: string): void {
    const entry = this.#byRun.get(stream);
    if (entry) this.#quarantine.atFault(entry, input, detail);
  }

  /** Decides about a publisher, whatever thread holds his connection. */
  async decidePublish(request: PublishRequest): Promise<PublishAnswer> {
    const target = findPublishTarget(this.#config, request, this.#options.clock.now());
    if (!target.allowed) {
      this.refused(request, target.name, target.code, target.detail);
      return { accepted: false, code: target.code, detail: target.detail };
    }
    const now = this.#options.clock.now();
    const known = this.#entries.get(target.name);
    const refusal =
      this.#quarantine.refusal(request.peer) ??
      (known
        ? busyRefusal(known, now)
        : limitRefusal(this.#entries.values(), this.#config, target.settings.name, request));
    if (refusal) {
      this.refused(request, target.name, refusal.code, refusal.detail);
      return { accepted: false, ...refusal };
    }
    const entry = known ?? this.#create(target.name, target.settings, target.isConfigured);
    // The name is taken from here on, though the old life may need a moment to end.
    entry.publisherCame(addressOf(request.peer), now);
    this.#changed.add(entry.name);
    if (entry.ending !== undefined) {
      const before = this.#config;
      await entry.ending;
      // Another configuration may not let it in, or not have the stream any more.
      if (this.#config !== before || this.#entries.get(entry.name) !== entry) {
        entry.publisherLeft(this.#options.clock.now());
        return this.decidePublish(request);
      }
      entry.isPublished = true;
    }
    // It joins the stream on whatever thread that runs, in place of a dead publisher too.
    entry.runId ??= this.#newRun(entry, 'publisher');
    this.#streamEvents.publisherCame(entry, request);
    return { accepted: true, stream: this.#quarantine.spec(entry, entry.runId) };
  }

  /** A publisher was turned away. @param name the stream that he wanted, where there is one */
  refused(request: PublishRequest, name: string | undefined, code: string, detail: string): void {
    this.#streamEvents.publisherRefused(request, name, code, detail);
    const known = name === undefined ? undefined : this.#entries.get(name);
    if (known) this.#noteRefusal(known, code, `${detail} (${request.peer})`);
  }

  #noteRefusal(entry: StreamEntry, code: string, detail: string): void {
    entry.refusals.add(code, detail, this.#options.clock.now());
    this.#changed.add(entry.name);
  }

  /** The publisher of a life is gone. */
  publishEnded(runId: number): void {
    const entry = this.#byRun.get(runId);
    if (!entry) return;
    entry.publisherLeft(this.#options.clock.now());
    this.#changed.add(entry.name);
    this.#streamEvents.publisherLeft(entry);
    if (entry.isChangePending && this.#entries.get(entry.name) === entry) void this.#restartEntry(entry, true);
  }

  /** The media thread of a life died. What has a picture of its own is opened again; an encoder comes back by itself. */
  lost(runId: number, { endMs, resume }: StreamEnd, detail: string): void {
    const entry = this.#byRun.get(runId);
    if (!entry) return;
    this.notice(runId, { event: 'media_thread_failed', code: 'media_thread_failed', detail });
    entry.refusals.add('media_thread_failed', detail, this.#options.clock.now());
    this.#byRun.delete(runId);
    entry.ended(endMs, resume);
    this.#streamEvents.closed(entry, 'thread_failed', entry.status?.bytesIn ?? 0);
    entry.publisherLeft(this.#options.clock.now());
    entry.status = undefined;
    this.#changed.add(entry.name);
    if (entry.ending === undefined) this.#open(entry, 'restart');
  }

  /** Applies what happened to a window. */
  window(runId: number, events: readonly WindowEvent[]): void {
    const entry = this.#byRun.get(runId);
    if (entry) entry.window.apply(events);
    else releaseEvents(events);
  }

  /** Takes measurements. */
  status(statuses: readonly StreamStatus[]): void {
    for (const status of statuses) {
      const entry = this.#byRun.get(status.id);
      if (!entry) continue;
      entry.status = status;
      if (status.publisher !== undefined) entry.isPublished = true;
      this.#streamEvents.measured(entry, status.tracks);
      this.#changed.add(entry.name);
    }
  }

  #add(name: string, settings: StreamConfig): Promise<void> {
    const known = this.#entries.get(name);
    // An encoder came while the configuration was put into force, and has its stream already.
    if (known?.isConfigured) return Promise.resolve();
    if (known) return this.#adopt(known, settings);
    this.#open(this.#create(name, settings, true), 'configured');
    return Promise.resolve();
  }

  /** A stream that a publisher made is in the configuration now. What may be published there goes on without a break. */
  #adopt(entry: StreamEntry, settings: StreamConfig): Promise<void> {
    entry.isConfigured = true;
    entry.settings = settings;
    this.#changed.add(entry.name);
    this.#streamEvents.settingsChanged(entry);
    entry.isChangePending = entry.isPublished && isPublishStream(settings) && !settings.isDisabled;
    return entry.isChangePending ? Promise.resolve() : this.#restartEntry(entry, true);
  }

  #create(name: string, settings: StreamEntry['settings'], isConfigured: boolean): StreamEntry {
    const entry = new StreamEntry(name, settings, isConfigured);
    entry.unpublishedSinceMs = this.#options.clock.now();
    this.#entries.set(name, entry);
    this.outputs.set(name, entry.output);
    this.#changed.add(name);
    this.#removed.delete(name);
    return entry;
  }

  /** Opens a stream that has something to show without an encoder. @param reason `configured` opens only what runs without viewers */
  #open(entry: StreamEntry, reason: 'configured' | 'viewer' | 'restart'): void {
    const { settings } = entry;
    if (entry.runId !== undefined || settings.isDisabled || !hasOwnPicture(settings)) return;
    if (reason === 'configured' && !settings.isStatic) return;
    entry.runId = this.#newRun(entry, reason);
    this.#options.engine().open(this.#quarantine.spec(entry, entry.runId));
  }

  #newRun(entry: StreamEntry, reason: 'configured' | 'viewer' | 'publisher' | 'restart'): number {
    const id = this.#nextRun++;
    entry.opened(this.#options.clock.now());
    this.#byRun.set(id, entry);
    this.#streamEvents.opened(entry, reason);
    return id;
  }

  async #restartEntry(entry: StreamEntry, isChanged: boolean): Promise<void> {
    const wasOpen = entry.runId !== undefined;
    entry.isChangePending = false;
    await this.#endRun(entry, 'restart');
    if (isChanged) this.#renewWindow(entry);
    if (this.#entries.get(entry.name) === entry) this.#open(entry, wasOpen ? 'restart' : 'configured');
  }

  /** Closes a stream that nobody watches; what is left of it would be old when the next viewer comes. */
  async #rest(entry: StreamEntry): Promise<void> {
    const sinceMs = this.#options.clock.now();
    await this.#endRun(entry, 'no_viewers');
    if (this.#entries.get(entry.name) !== entry || entry.runId !== undefined || entry.isPublished) return;
    this.#renewWindow(entry);
    if (entry.demandedMs >= sinceMs) this.#open(entry, 'viewer');
  }

  #renewWindow(entry: StreamEntry): void {
    entry.renewWindow();
    this.outputs.set(entry.name, entry.output);
  }

  /** Ends the life of a stream; asked again meanwhile, it is the same end. */
  #endRun(entry: StreamEntry, reason: RunEnd): Promise<void> {
    entry.ending ??= this.#close(entry, reason).finally(() => {
      entry.ending = undefined;
    });
    return entry.ending;
  }

  async #close(entry: StreamEntry, reason: RunEnd): Promise<void> {
    const id = entry.runId;
    if (id === undefined) return;
    const { endMs, resume } = await this.#options.engine().closeStream(id);
    this.#byRun.delete(id);
    entry.ended(endMs, resume);
    this.#streamEvents.closed(entry, reason, entry.status?.bytesIn ?? 0);
    entry.isPublished = false;
    entry.status = undefined;
    this.#changed.add(entry.name);
  }

  async #remove(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    if (!entry) return;
    this.#entries.delete(name);
    this.outputs.delete(name);
    this.#changed.delete(name);
    this.#removed.add(name);
    await this.#endRun(entry, 'removed');
    entry.output.close();
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
      // Another stream that shows it is a viewer, too.
      if (isOnDemand(entry) && this.#options.engine().isCopied(entry.name)) this.demand(entry.name);
      if (isAbandoned(entry, now) && entry.ending === undefined) void this.#rest(entry);
      if (entry.isForgotten(now)) void this.#remove(entry.name);
      if (++count % SWEPT_PER_STEP === 0) yield;
    }
  }
}
