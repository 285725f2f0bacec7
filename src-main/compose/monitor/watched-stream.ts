import type { Config } from '../../config/schema/config.ts';
import type { StreamMeasurements } from '../../engine/messages.ts';
import type { WatchedStream } from '../../monitor/monitor.ts';
import { frameRate } from '../../streams/frame-rate.ts';
import type { StreamEntry } from '../../streams/stream-entry.ts';
import { liveLatency } from '../../streams/stream-state.ts';
import { recordingSettings } from '../recording-settings.ts';
import type { ServerOptions } from '../server-options.ts';

/** Times of past events that are not in the status of a stream, in epoch milliseconds; 0 for never. */
export interface StreamHistory {
  lastFrameMs: number;
  lastSpliceMs: number;
  /** Time of the first round of the monitor with the stream, and of the first report about an open input. */
  watchedMs: number;
  reportedMs: number;
}

/**
 * Silence of a media thread after which its streams count as having no frames, in milliseconds; before that it may only be late.
 */
const MAX_UNKNOWN_MS = 10_000;
/**
 * Maximum time without a report about the inputs of a new stream, in milliseconds; after it, the stream counts as having no
 * frames. A busy machine opens inputs and makes test pictures late, which is no fault of the inputs.
 */
const MAX_UNREPORTED_MS = 60_000;
const NO_ERRORS = { all: 0, continuity: 0, clock: 0 };

/** Current state of a stream for its alarms. Updates `past`. */
export function watchedStream(
  entry: StreamEntry,
  past: StreamHistory,
  content: WatchedStream['content'],
  nowMs: number,
  {
    config,
    options,
  }: { readonly config: () => Pick<Config, 'dvrs'>; readonly options: Pick<ServerOptions, 'dataFolder'> },
): WatchedStream {
  const { name, status, settings, openedMs } = entry;
  // While the backup plays, only frames of the inputs count, and not those of the backup.
  const lastFrameMs = status?.isBackupOnAir
    ? Math.max(0, ...status.inputs.map(({ lastUnitMs }) => lastUnitMs))
    : (status?.lastUnitMs ?? 0);
  past.lastFrameMs = Math.max(past.lastFrameMs, lastFrameMs);
  const isPulled = entry.inputs.some(({ url }) => !url.startsWith('publish://'));
  const hasBeen = past.lastFrameMs > 0;
  if (past.watchedMs === 0) past.watchedMs = nowMs;
  if (past.reportedMs === 0 && status?.inputs.some(isTried)) past.reportedMs = status.measuredMs;
  const openMs = past.reportedMs > 0 ? past.reportedMs : Math.min(nowMs, past.watchedMs + MAX_UNREPORTED_MS);
  // After a start of the server, a stream that always runs is not open yet, or waits for the return of its encoder.
  const isRunning = settings.isStatic || entry.runId !== undefined;
  const tracks = status?.tracks ?? [];
  const video = tracks.find(({ track }) => track.content === 'video');
  const recording = recordingSettings(config(), settings, options.dataFolder, entry.isRecordingSwitched);
  return {
    name,
    alarms: settings.alarms,
    isExpected:
      !settings.isDisabled &&
      !entry.isArchiveOnly &&
      (entry.isConfigured ? isRunning && (isPulled || hasBeen) : hasBeen),
    knownMs: Math.max(status?.measuredMs ?? nowMs, nowMs - MAX_UNKNOWN_MS),
    lastFrameMs: hasBeen ? past.lastFrameMs : openMs,
    openedMs: Math.max(openedMs, status?.startedMs ?? 0),
    latencyMs: liveLatency(entry, nowMs),
    bitrateKbit: Math.round(tracks.reduce((sum, { bitrate }) => sum + bitrate, 0) / 1000),
    fps: video ? frameRate(video) : null,
    format: tracks.map(({ track }) => formatOf(track)).join(', '),
    leftOut: settings.isDisabled ? [] : (status?.leftOut ?? []),
    reserve: settings.isDisabled ? null : reserveOnAir(entry),
    failingPushes: failingPushes(entry),
    errorsPerSecond: status?.errorsPerSecond ?? 0,
    continuityErrorsPerSecond: status?.continuityErrorsPerSecond ?? 0,
    clockErrorsPerSecond: status?.clockErrorsPerSecond ?? 0,
    lastErrorsMs: status?.lastErrorsMs ?? NO_ERRORS,
    isRecordingExpected: recording !== undefined && recording.isOff !== true && !entry.isArchiveOnly,
    isRecording: entry.isRecording,
    content,
    lastSpliceMs: past.lastSpliceMs === 0 ? openedMs : past.lastSpliceMs,
  };
}

/** Whether an input had the chance to deliver frames: not while the server itself still makes its test pictures. */
function isTried({ url, phase, lastFault }: StreamMeasurements['inputs'][number]): boolean {
  return !url.startsWith('fake://') || phase !== 'opening' || lastFault !== undefined;
}

/**
 * Reserve input that is on air because of a fault. Inputs rank by priority, and then by their order in the configuration. A
 * main input whose encoder has never connected is no fault.
 */
function reserveOnAir({ status }: StreamEntry): WatchedStream['reserve'] {
  if (!status || status.activeInput === null || status.isBackupOnAir || status.selectedInput === status.activeInput)
    return null;
  const { activeInput, inputs } = status;
  const ranked = inputs.map((input, index) => ({ ...input, index })).sort((a, b) => a.priority - b.priority);
  const main = ranked.find(({ url, lastUnitMs }) => !url.startsWith('publish://') || lastUnitMs > 0);
  if (
    !main ||
    main.index === activeInput ||
    ranked.indexOf(main) > ranked.findIndex(({ index }) => index === activeInput)
  )
    return null;
  return { input: activeInput + 1, main: main.index + 1, count: inputs.length };
}

/** Pushes whose last attempt failed. A push stays failed during its next attempt. */
function failingPushes({ status }: StreamEntry): WatchedStream['failingPushes'] {
  const pushes = status?.pushes ?? [];
  const failing = pushes.filter(
    ({ phase, fault }) => fault !== undefined && phase !== 'running' && phase !== 'pending',
  );
  const [first] = failing;
  if (!first) return null;
  return { failed: failing.length, count: pushes.length, url: first.url, code: first.fault?.code ?? '' };
}

type Track = NonNullable<StreamEntry['status']>['tracks'][number]['track'];

function formatOf(track: Track): string {
  if (track.content === 'video') return `${track.codec} ${track.width}x${track.height}`;
  return `${track.codec} ${track.sampleRate} Hz ${track.channels} ch`;
}
