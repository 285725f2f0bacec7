import type { InputConfig, StreamSettings } from '../config/schema/config.ts';
import { StreamOutput } from '../delivery/stream-output.ts';
import type { StreamMeasurements, StreamSpec } from '../engine/messages.ts';
import { ProblemLog } from '../engine/problem-log.ts';
import { LEAD_IN_SEGMENTS } from '../packaging/hls/lead-in.ts';
import { LiveWindow } from '../segment/live-window.ts';
import { RunWindow, type ResumePoint } from '../segment/run-window.ts';
import { SEGMENTER_DEFAULTS, type SegmenterResume } from '../segment/segmenter-options.ts';
import { pushSpecs } from './stream-pushes.ts';
import { hasOwnPicture, publishInput } from './publish-policy.ts';
import { nextRunState, type RunEnd, type RunState, type RunStep } from './run-state.ts';

/** Default time without a frame before the backup file plays, in milliseconds. */
const BACKUP_AFTER_MS = 3000;

/** Maximum wait for the first media after an encoder has come or an input is opened, in milliseconds. */
const STARTING_MS = 10_000;

/**
 * Limits and factor of the time for which a published stream is kept after its publisher left, in milliseconds. The
 * maximum keeps a flood of names from filling the memory.
 */
const SHORTEST_KEPT_MS = 10_000;
const LONGEST_KEPT_MS = 300_000;
const KEPT_FACTOR = 10;

/** Absence after which an encoder has left permanently, in milliseconds. A longer `source_timeout` takes precedence. */
const GONE_MS = 60_000;

/**
 * Duration of one media sequence number when numbers start from the clock, in milliseconds. It is the shortest
 * configurable segment, so that numbers never decrease when segments become longer.
 */
const MSN_STEP_MS = 500;
/**
 * Time at which media sequence numbers start from 0. With the year 2011, numbers fit into 31 bits until 2045, which
 * older players need, and are above the numbers of two-second segments since 1970.
 */
const MSN_FROM_MS = Date.UTC(2011, 0, 1);

/** Number of segments without a request after which a viewer is gone; players send about one per segment. */
const PATIENCE_SEGMENTS = 3;

/** Start and end of an archive, in epoch milliseconds, and its finished blocks. */
interface ArchivedTime {
  readonly startMs: number;
  readonly endMs: number;
  readonly blocks: number;
  readonly bytes: number;
}

/** One stream in the server thread, through all its runs. */
export class StreamEntry {
  readonly name: string;
  /** Live prefix or template under which the stream was published; empty for a configured stream. */
  readonly prefix: string;
  /** Problems unknown to its media thread: refused publishers, dead threads. */
  readonly refusals = new ProblemLog();
  /** Recording as switched on or off by hand, until the next restart; undefined if the settings decide. */
  isRecordingSwitched: boolean | undefined;
  #state: RunState = { kind: 'idle' };
  #isConfigured: boolean;
  #settings: StreamSettings;
  #openedMs = 0;
  #status: StreamMeasurements | undefined;
  #isPublished = false;
  #publisherAddress = '';
  #publication: number | undefined;
  #demandedMs = 0;
  #unpublishedSinceMs: number;
  #isChangePending = false;
  #isArchiveOnly = false;
  #isRecording: () => boolean = () => false;
  #archive: () => ArchivedTime | undefined = () => undefined;
  /** Total published time, in milliseconds, and the start of the current publication. */
  #publishedMs = 0;
  #publishedSinceMs = 0;
  #window: LiveWindow;
  #output: StreamOutput;
  #run: RunWindow | undefined;
  #endMs = 0;
  /** Bytes that the output had delivered before the current or last run. */
  #bytesOutBefore = 0;
  #resume: SegmenterResume | undefined;

  /** @param nowMs epoch milliseconds */
  constructor(name: string, settings: StreamSettings, isConfigured: boolean, nowMs = 0) {
    this.name = name;
    this.#settings = settings;
    this.#isConfigured = isConfigured;
    this.#unpublishedSinceMs = nowMs;
    this.prefix = isConfigured || !('name' in settings) ? '' : String(settings.name);
    this.#window = newWindow(settings);
    this.#output = new StreamOutput(name, this.#window, () => this.settings.hlsScte35);
  }

  get state(): RunState {
    return this.#state;
  }

  /** Number of the current run on a media thread; undefined without one. */
  get runId(): number | undefined {
    return 'runId' in this.#state ? this.#state.runId : undefined;
  }

  /** Window of the current run; undefined without one. */
  get run(): RunWindow | undefined {
    return this.#run;
  }

  /** True while the archive of the stream is written. */
  get isRecording(): boolean {
    return this.#isRecording();
  }

  /** Extent of the archive; undefined without an archive, or if the extent is unknown. */
  get archive(): ArchivedTime | undefined {
    return this.#archive();
  }

  /** Sets the sources of the recording state and of the archive's extent. */
  recordedBy(isRecording: () => boolean, archive: () => ArchivedTime | undefined = () => undefined): void {
    this.#isRecording = isRecording;
    this.#archive = archive;
  }

  /**
   * True if the configuration names the stream; otherwise the stream was created under a live prefix or template, by a
   * publisher or for an archive.
   */
  get isConfigured(): boolean {
    return this.#isConfigured;
  }

  get settings(): StreamSettings {
    return this.#settings;
  }

  /** Start of the current or last run, in epoch milliseconds; 0 before the first. */
  get openedMs(): number {
    return this.#openedMs;
  }

  get status(): StreamMeasurements | undefined {
    return this.#status;
  }

  /** True while a publisher uses the name. */
  get isPublished(): boolean {
    return this.#isPublished;
  }

  /** Network address of the current or last publisher; empty before the first. */
  get publisherAddress(): string {
    return this.#publisherAddress;
  }

  /** Time of the last request of a viewer while the stream did not run, in epoch milliseconds. */
  get demandedMs(): number {
    return this.#demandedMs;
  }

  /** Start of the time without a publisher, in epoch milliseconds. */
  get unpublishedSinceMs(): number {
    return this.#unpublishedSinceMs;
  }

  /** True while settings that need a new run wait for the publisher to leave. */
  get isChangePending(): boolean {
    return this.#isChangePending;
  }

  get output(): StreamOutput {
    return this.#output;
  }

  /**
   * Applies settings of the configuration.
   * @param isPending true if they wait for the publisher to leave
   */
  configure(settings: StreamSettings, isPending = this.#isChangePending): void {
    this.#settings = settings;
    this.#isConfigured = true;
    this.#isArchiveOnly = false;
    this.#isChangePending = isPending;
  }

  /**
   * Applies the settings of its live prefix or template.
   * @param isPending true if they wait for the publisher to leave
   */
  followTemplate(settings: StreamSettings, isPending: boolean): void {
    this.#settings = settings;
    this.#isChangePending ||= isPending;
  }

  /** True if only the archive of a published stream is left: the stream has no run, and only an encoder opens it again. */
  get isArchiveOnly(): boolean {
    return this.#isArchiveOnly;
  }

  /** Keeps the stream only for its archive, because the encoder has left for good. */
  keepArchive(): void {
    this.#isArchiveOnly = true;
  }

  /**
   * Records the request of a viewer.
   * @param nowMs epoch milliseconds
   */
  demanded(nowMs: number): void {
    this.#demandedMs = nowMs;
  }

  /** Number of the newest publisher; undefined before the first. */
  get publication(): number | undefined {
    return this.#publication;
  }

  /**
   * Records a publisher. @param publication its number
   */
  publisherCame(address: string, nowMs: number, publication?: number): void {
    this.#publication = publication;
    this.#isPublished = true;
    this.#publisherAddress = address;
    this.#unpublishedSinceMs = nowMs;
    this.#publishedSinceMs = nowMs;
  }

  publisherLeft(nowMs: number): void {
    if (this.#isPublished) this.#publishedMs += nowMs - this.#publishedSinceMs;
    this.#isPublished = false;
    this.#unpublishedSinceMs = nowMs;
  }

  /**
   * Reports whether to remove an unconfigured stream: it is kept ten times as long as it was published, within limits.
   */
  isDueForRemoval(nowMs: number): boolean {
    const keptMs = this.window.tracks.length === 0 ? 0 : this.#publishedMs * KEPT_FACTOR;
    const limitMs = Math.min(LONGEST_KEPT_MS, Math.max(SHORTEST_KEPT_MS, keptMs));
    const isOver = !this.isConfigured && !this.isPublished && !this.isArchiveOnly;
    return isOver && nowMs - this.unpublishedSinceMs > limitMs;
  }

  /**
   * Reports whether the stream has ended: its encoder has left for good, and it cannot play without an encoder.
   *
   * @param nowMs epoch milliseconds
   */
  hasEnded(nowMs: number): boolean {
    if (this.#isArchiveOnly) return true;
    if (this.#isPublished || this.#publication === undefined || hasOwnPicture(this.settings)) return false;
    return nowMs - this.#unpublishedSinceMs >= Math.max(GONE_MS, this.settings.sourceTimeoutMs);
  }

  /** True if the stream runs only for its viewers. */
  get isOnDemand(): boolean {
    return !this.settings.isStatic && !this.settings.isDisabled && !this.isArchiveOnly;
  }

  /** Reports whether the stream runs on demand and has had no viewers for its `clients_timeout`. A publisher keeps it open. */
  isAbandoned(nowMs: number): boolean {
    const { settings, output } = this;
    if (!this.isOnDemand || this.runId === undefined || this.isPublished || output.hasWatchers) return false;
    const patienceMs = Math.max(settings.clientsTimeoutMs, PATIENCE_SEGMENTS * settings.segmentDurationMs);
    return nowMs - Math.max(output.lastActiveMs, this.demandedMs) >= patienceMs;
  }

  /** Epoch milliseconds of the publisher's newest frame; 0 before the first. */
  get publishedUnitMs(): number {
    return this.status?.inputs.find(({ url }) => url.startsWith('publish://'))?.lastUnitMs ?? 0;
  }

  /** Inputs in configured order. A stream under a live prefix always has an input for its publisher. */
  get inputs(): readonly InputConfig[] {
    const { inputs, sourceTimeoutMs } = this.settings;
    if (inputs.length > 0 || this.isConfigured) return inputs;
    return [publishInput(sourceTimeoutMs)];
  }

  /**
   * Reports whether the first media is expected: an encoder has come, or an input is being opened and has not failed.
   * @param nowMs epoch milliseconds
   */
  isStarting(nowMs: number): boolean {
    if (this.runId === undefined) return false;
    if (this.#isPublished) return nowMs - this.#publishedSinceMs < STARTING_MS;
    const phase = this.#status?.phase ?? 'opening';
    const isOpening = phase === 'opening' || phase === 'running';
    return isOpening && hasOwnPicture(this.settings) && nowMs - this.#openedMs < STARTING_MS;
  }

  /** Bytes delivered since the stream was opened; restarts from 0 together with the received bytes. */
  get bytesOut(): number {
    return this.output.bytesOut - this.#bytesOutBefore;
  }

  /**
   * Starts a run.
   * @param nowMs epoch milliseconds
   */
  opened(runId: number, nowMs: number): void {
    this.#change({ kind: 'open', runId });
    this.#run = new RunWindow(this.window, this.#resumePoint(nowMs));
    this.#isChangePending = false;
    this.#isArchiveOnly = false;
    this.#openedMs = nowMs;
    this.#bytesOutBefore = this.output.bytesOut;
  }

  /** Records a measurement of the run. */
  measured(status: StreamMeasurements): void {
    this.#change({ kind: 'measured' });
    this.#status = status;
    if (status.publisher !== undefined && this.#state.kind === 'running') this.#isPublished = true;
  }

  /** Marks the run as ending; without a run, only a removal changes the state. */
  ending(next: RunEnd): void {
    this.#change({ kind: 'end', next });
  }

  /**
   * Records the end of the run, also if its media thread ended. The next run continues from there.
   * @param nowMs epoch milliseconds
   */
  ended({ endMs, resume }: ResumePoint, nowMs: number): void {
    this.#change({ kind: this.#state.kind === 'ending' ? 'ended' : 'lost' });
    this.#run?.close();
    this.#run = undefined;
    if (endMs > 0) this.#endMs = endMs;
    if (resume.nextMsn > 0) this.#resume = resume;
    if (this.#isPublished) this.publisherLeft(nowMs);
    this.#status = undefined;
  }

  get window(): LiveWindow {
    return this.#window;
  }

  /** Starts with an empty window, because the old window no longer fits the settings. */
  renewWindow(): void {
    const { viewerCount } = this.output;
    this.closeOutput();
    this.#window = newWindow(this.settings);
    // Numbers before its first segment are reserved, so that no number is used twice.
    if (this.#resume) this.#resume = { ...this.#resume, nextMsn: this.#resume.nextMsn + LEAD_IN_SEGMENTS };
    this.#output = new StreamOutput(this.name, this.#window, () => this.settings.hlsScte35);
    this.#bytesOutBefore = 0;
    // The sessions of the viewers continue.
    this.output.viewerCount = viewerCount;
  }

  /** Ends waiting requests of viewers, and releases all media. */
  closeOutput(): void {
    this.#output.close();
    this.#window.clear();
  }

  /**
   * Specification of the next run for a media thread.
   * @param nowMs epoch milliseconds
   */
  spec(runId: number, nowMs: number): StreamSpec {
    const { segmentDurationMs, chunkDurationMs, segmentCount, retryLimit, backup, prepush } = this.settings;
    return {
      id: runId,
      name: this.name,
      segmenter: { ...SEGMENTER_DEFAULTS, partMs: chunkDurationMs, segmentMs: segmentDurationMs, segmentCount },
      inputs: this.inputs,
      ...(backup
        ? { backup: { url: `file://${backup.path}`, options: {}, afterMs: backup.timeoutMs ?? BACKUP_AFTER_MS } }
        : {}),
      pushes: pushSpecs(this.settings),
      retryLimit,
      ...(prepush === null || prepush === false ? {} : { prepush }),
      ...(this.#run?.start ?? this.#resumePoint(nowMs)),
    };
  }

  #resumePoint(nowMs: number): ResumePoint {
    // Derived from the clock, so that a restarted server never reuses a number, whatever the length of its segments.
    const fresh = {
      nextMsn: Math.max(0, Math.floor((nowMs - MSN_FROM_MS) / MSN_STEP_MS)),
      nextInitId: Math.floor(nowMs / 1000) % 1_000_000_000,
      isContinuation: false,
    };
    return { endMs: this.#endMs, resume: this.#resume ?? fresh };
  }

  #change(step: RunStep): void {
    this.#state = nextRunState(this.#state, step);
  }
}

function newWindow({ chunkDurationMs, segmentDurationMs }: StreamSettings): LiveWindow {
  return new LiveWindow({ partMs: chunkDurationMs, segmentMs: segmentDurationMs });
}
