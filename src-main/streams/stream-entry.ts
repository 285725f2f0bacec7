import type { InputConfig, StreamSettings } from '../config/config.ts';
import { StreamOutput } from '../delivery/stream-output.ts';
import type { StreamMeasurements, StreamSpec } from '../engine/messages.ts';
import { ProblemLog } from '../engine/problem-log.ts';
import { LEAD_IN_SEGMENTS } from '../packaging/hls/lead-in.ts';
import { LiveWindow } from '../segment/live-window.ts';
import { RunWindow, type ResumePoint } from '../segment/run-window.ts';
import { SEGMENTER_DEFAULTS, type SegmenterResume } from '../segment/segmenter-options.ts';
import { hasOwnPicture, publishInput } from './publish-policy.ts';
import { nextRunState, type RunEnd, type RunState, type RunStep } from './run-state.ts';

/** How long nothing gives a frame before the backup file plays, in milliseconds, where nothing is configured. */
const BACKUP_AFTER_MS = 3000;

/** How long after an encoder has come, or after an input began to be opened, the first media is waited for, in milliseconds. */
const STARTING_MS = 10_000;

/** How long a stream is remembered that a publisher made and left, in milliseconds: no flood of names may fill the memory. */
const SHORTEST_KEPT_MS = 10_000;
const LONGEST_KEPT_MS = 300_000;
const KEPT_FACTOR = 10;

/** An encoder that does not come back for so long is gone for good, in milliseconds; `source_timeout` where that is longer. */
const GONE_MS = 60_000;

/** Media sequence numbers are counted by the shortest segments that can be configured, so that they never fall when segments become longer. */
const MSN_STEP_MS = 500;
/** From here on: 2011, so that they fit into 31 bits until 2045, which is what older players count with, and lie above those of two-second segments since 1970. */
const MSN_FROM_MS = Date.UTC(2011, 0, 1);

/** Players ask once a segment or so: a viewer is not gone before this many segments passed without a request. */
const PATIENCE_SEGMENTS = 3;

/** The first and the last time of an archive, in epoch milliseconds, and its finished blocks. */
interface ArchivedTime {
  readonly startMs: number;
  readonly endMs: number;
  readonly blocks: number;
  readonly bytes: number;
}

/** One stream as the server thread knows it, through all its runs. */
export class StreamEntry {
  readonly name: string;
  /** The live prefix or template under which a publisher made it; empty for a configured one. */
  readonly prefix: string;
  /** What its media thread cannot say: publishers that were refused, threads that died. */
  readonly refusals = new ProblemLog();
  /** Whether its recording was switched on or off; undefined where its settings decide. Holds until the stream is restarted. */
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
  /** How long it was published so far, in milliseconds, and since when it is now. */
  #publishedMs = 0;
  #publishedSinceMs = 0;
  #window: LiveWindow;
  #output: StreamOutput;
  #run: RunWindow | undefined;
  #endMs = 0;
  /** What the output had delivered when the current run, or the last one, began. */
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

  /** Number of the current run on a media thread; undefined while it has none. */
  get runId(): number | undefined {
    return 'runId' in this.#state ? this.#state.runId : undefined;
  }

  /** What applies the events of the current run; undefined while it has none. */
  get run(): RunWindow | undefined {
    return this.#run;
  }

  /** Whether it is being written to its archive. */
  get isRecording(): boolean {
    return this.#isRecording();
  }

  /** From when to when it is recorded; undefined where nothing is, or it is not known. */
  get archive(): ArchivedTime | undefined {
    return this.#archive();
  }

  /** What records it says whether it does, and what there is. */
  recordedBy(isRecording: () => boolean, archive: () => ArchivedTime | undefined = () => undefined): void {
    this.#isRecording = isRecording;
    this.#archive = archive;
  }

  /** Whether it is in the configuration; otherwise a publisher made it under a live prefix. */
  get isConfigured(): boolean {
    return this.#isConfigured;
  }

  get settings(): StreamSettings {
    return this.#settings;
  }

  /** Epoch milliseconds at which the current run, or the last one, began; 0 before the first. */
  get openedMs(): number {
    return this.#openedMs;
  }

  get status(): StreamMeasurements | undefined {
    return this.#status;
  }

  /** Whether a publisher holds the name. */
  get isPublished(): boolean {
    return this.#isPublished;
  }

  /** Network address of the publisher, or of the last one; empty before the first. */
  get publisherAddress(): string {
    return this.#publisherAddress;
  }

  /** Epoch milliseconds at which a viewer last wanted what did not run. */
  get demandedMs(): number {
    return this.#demandedMs;
  }

  /** Epoch milliseconds since which there is no publisher. */
  get unpublishedSinceMs(): number {
    return this.#unpublishedSinceMs;
  }

  /** Whether settings wait for the publisher to leave: they need another run of the stream. */
  get isChangePending(): boolean {
    return this.#isChangePending;
  }

  get output(): StreamOutput {
    return this.#output;
  }

  /** The configuration has settings for it, from now on. @param isPending whether they wait for the publisher to leave */
  configure(settings: StreamSettings, isPending = this.#isChangePending): void {
    this.#settings = settings;
    this.#isConfigured = true;
    this.#isArchiveOnly = false;
    this.#isChangePending = isPending;
  }

  /** Takes over the settings of its live prefix or template. @param isPending whether they wait for the publisher to leave */
  followTemplate(settings: StreamSettings, isPending: boolean): void {
    this.#settings = settings;
    this.#isChangePending ||= isPending;
  }

  /** Whether nothing is left of a published stream but its archive: it has no run, and only an encoder opens it again. */
  get isArchiveOnly(): boolean {
    return this.#isArchiveOnly;
  }

  /** The encoder is gone for good; the stream stays for its archive. */
  keepArchive(): void {
    this.#isArchiveOnly = true;
  }

  /** A viewer wants it. @param nowMs epoch milliseconds */
  demanded(nowMs: number): void {
    this.#demandedMs = nowMs;
  }

  /** Number of the newest publisher; undefined before the first. */
  get publication(): number | undefined {
    return this.#publication;
  }

  /** A publisher takes the name. @param address its network address @param publication its number */
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

  /** Whether a stream that a publisher made is to be forgotten: it is kept ten times as long as it was published. */
  isForgotten(nowMs: number): boolean {
    const keptMs = this.window.tracks.length === 0 ? 0 : this.#publishedMs * KEPT_FACTOR;
    const limitMs = Math.min(LONGEST_KEPT_MS, Math.max(SHORTEST_KEPT_MS, keptMs));
    const isOver = !this.isConfigured && !this.isPublished && !this.isArchiveOnly;
    return isOver && nowMs - this.unpublishedSinceMs > limitMs;
  }

  /** Whether it has ended: its encoder is gone for good, and it has nothing else to show. @param nowMs epoch milliseconds */
  hasEnded(nowMs: number): boolean {
    if (this.#isArchiveOnly) return true;
    if (this.#isPublished || this.#publication === undefined || hasOwnPicture(this.settings)) return false;
    return nowMs - this.#unpublishedSinceMs >= Math.max(GONE_MS, this.settings.sourceTimeoutMs);
  }

  /** Whether it runs for its viewers only. */
  get isOnDemand(): boolean {
    return !this.settings.isStatic && !this.settings.isDisabled && !this.isArchiveOnly;
  }

  /** Whether it runs for its viewers and has had none for its `clients_timeout`. Publishers keep it, too. */
  isAbandoned(nowMs: number): boolean {
    const { settings, output } = this;
    if (!this.isOnDemand || this.runId === undefined || this.isPublished || output.hasWatchers) return false;
    const patienceMs = Math.max(settings.clientsTimeoutMs, PATIENCE_SEGMENTS * settings.segmentDurationMs);
    return nowMs - Math.max(output.lastSeenMs, this.demandedMs) >= patienceMs;
  }

  /** Epoch milliseconds of the publisher's newest frame; 0 before the first. */
  get publishedUnitMs(): number {
    return this.status?.inputs.find(({ url }) => url.startsWith('publish://'))?.lastUnitMs ?? 0;
  }

  /** In the order of the configuration; what a publisher made under a live prefix waits for it, whatever else it has. */
  get inputs(): readonly InputConfig[] {
    const { inputs, sourceTimeoutMs } = this.settings;
    if (inputs.length > 0 || this.isConfigured) return inputs;
    return [publishInput(sourceTimeoutMs)];
  }

  /** Whether its first media is to be expected: an encoder has come, or an input is being opened and has not failed. @param nowMs epoch milliseconds */
  isStarting(nowMs: number): boolean {
    if (this.runId === undefined) return false;
    if (this.#isPublished) return nowMs - this.#publishedSinceMs < STARTING_MS;
    const phase = this.#status?.phase ?? 'opening';
    const isOpening = phase === 'opening' || phase === 'running';
    return isOpening && hasOwnPicture(this.settings) && nowMs - this.#openedMs < STARTING_MS;
  }

  /** What was delivered since it was opened: it begins anew with what comes in. */
  get bytesOut(): number {
    return this.output.bytesOut - this.#bytesOutBefore;
  }

  /** A run begins. @param nowMs epoch milliseconds */
  opened(runId: number, nowMs: number): void {
    this.#change({ kind: 'open', runId });
    this.#run = new RunWindow(this.window, this.#resumePoint(nowMs));
    this.#isChangePending = false;
    this.#isArchiveOnly = false;
    this.#openedMs = nowMs;
    this.#bytesOutBefore = this.output.bytesOut;
  }

  /** Its media thread measured the run. */
  measured(status: StreamMeasurements): void {
    this.#change({ kind: 'measured' });
    this.#status = status;
    if (status.publisher !== undefined && this.#state.kind === 'running') this.#isPublished = true;
  }

  /** The run is to end; without one, only a removal changes anything. */
  ending(next: RunEnd): void {
    this.#change({ kind: 'end', next });
  }

  /** The run has ended, or was lost with its media thread: the next one goes on from there. @param nowMs epoch milliseconds */
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

  /** Starts with an empty window: the old one does not fit the settings any more. */
  renewWindow(): void {
    const { viewerCount } = this.output;
    this.closeOutput();
    this.#window = newWindow(this.settings);
    // What stands before its first segment has numbers too, and none is used twice.
    if (this.#resume) this.#resume = { ...this.#resume, nextMsn: this.#resume.nextMsn + LEAD_IN_SEGMENTS };
    this.#output = new StreamOutput(this.name, this.#window, () => this.settings.hlsScte35);
    this.#bytesOutBefore = 0;
    // Their sessions go on.
    this.output.viewerCount = viewerCount;
  }

  /** Ends what viewers wait for, and lets go of all media. */
  closeOutput(): void {
    this.#output.close();
    this.#window.clear();
  }

  /** What a media thread needs for the next run. @param nowMs epoch milliseconds */
  spec(runId: number, nowMs: number): StreamSpec {
    const { segmentDurationMs, chunkDurationMs, segmentCount, retryLimit, backup } = this.settings;
    return {
      id: runId,
      name: this.name,
      segmenter: { ...SEGMENTER_DEFAULTS, partMs: chunkDurationMs, segmentMs: segmentDurationMs, segmentCount },
      inputs: this.inputs,
      ...(backup
        ? { backup: { url: `file://${backup.path}`, options: {}, afterMs: backup.timeoutMs ?? BACKUP_AFTER_MS } }
        : {}),
      retryLimit,
      ...(this.#run?.start ?? this.#resumePoint(nowMs)),
    };
  }

  #resumePoint(nowMs: number): ResumePoint {
    // Counted by the clock, so that a server that was restarted never uses a number twice, whatever its segments last by then.
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
