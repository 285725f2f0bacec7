import type { InputConfig, StreamSettings } from '../config/config.ts';
import { StreamOutput } from '../delivery/stream-output.ts';
import type { StreamSpec, StreamStatus } from '../engine/messages.ts';
import { ProblemLog } from '../engine/problem-log.ts';
import { LiveWindow } from '../segment/live-window.ts';
import { SEGMENTER_DEFAULTS, type SegmenterResume } from '../segment/segmenter.ts';

/** How long an encoder may be silent before its stream has no input, in milliseconds, where nothing is configured. */
const FRAMES_TIMEOUT_MS = 3000;
/** How long nothing gives a frame before the backup file plays, in milliseconds, where nothing is configured. */
const BACKUP_AFTER_MS = 3000;

/** One stream as the server thread knows it, through all its lives. */
export class StreamEntry {
  readonly name: string;
  /** Whether it is in the configuration; otherwise a publisher made it under a live prefix. */
  readonly isConfigured: boolean;
  settings: StreamSettings;
  /** Number of the current life on a media thread; undefined while it has none. */
  lifeId: number | undefined;
  /** Epoch milliseconds at which the current life, or the last one, began; 0 before the first. */
  openedMs = 0;
  status: StreamStatus | undefined;
  /** Whether a publisher holds the name, or is about to. */
  isPublished = false;
  /** Network address of the publisher, or of the last one; empty before the first. */
  publisherAddress = '';
  /** Epoch milliseconds at which a viewer last wanted what did not run. */
  demandedMs = 0;
  /** Resolves when the life that is being ended has ended. */
  ending: Promise<void> | undefined;
  /** Epoch milliseconds since which nobody publishes. */
  unpublishedSinceMs = 0;
  /** What its media thread cannot tell: publishers that were turned away, threads that died. */
  readonly refusals = new ProblemLog();
  output: StreamOutput;
  #endMs = 0;
  #resume: SegmenterResume | undefined;

  constructor(name: string, settings: StreamSettings, isConfigured: boolean) {
    this.name = name;
    this.settings = settings;
    this.isConfigured = isConfigured;
    this.output = newOutput(name, settings);
  }

  /** Epoch milliseconds of the publisher's newest frame; 0 before the first. */
  get publishedUnitMs(): number {
    return this.status?.inputs.find(({ url }) => url.startsWith('publish://'))?.lastUnitMs ?? 0;
  }

  /** In the order of the configuration; what a publisher made under a live prefix waits for him, whatever else it has. */
  get inputs(): readonly InputConfig[] {
    const { inputs, sourceTimeoutMs } = this.settings;
    if (inputs.length > 0 || this.isConfigured) return inputs;
    return [
      {
        url: 'publish://',
        priority: 1,
        framesTimeoutMs: Math.min(FRAMES_TIMEOUT_MS, sourceTimeoutMs),
        sourceTimeoutMs,
        options: {},
      },
    ];
  }

  get window(): LiveWindow {
    return this.output.window;
  }

  /** Remembers where a life ended, so that the next one goes on from there. */
  ended(endMs: number, resume: SegmenterResume): void {
    if (endMs > 0) this.#endMs = endMs;
    if (resume.nextMsn > 0) this.#resume = resume;
    this.lifeId = undefined;
  }

  /** Starts with an empty window: the old one does not fit the settings any more. */
  renewWindow(): void {
    const { viewerCount } = this.output;
    this.output.close();
    this.output = newOutput(this.name, this.settings);
    // Their sessions go on.
    this.output.viewerCount = viewerCount;
  }

  /** What a media thread needs for the next life. @param nowMs epoch milliseconds */
  spec(lifeId: number, nowMs: number): StreamSpec {
    const { segmentDurationMs, chunkDurationMs, segmentCount, retryLimit, backup } = this.settings;
    return {
      id: lifeId,
      name: this.name,
      segmenter: { ...SEGMENTER_DEFAULTS, partMs: chunkDurationMs, segmentMs: segmentDurationMs, segmentCount },
      inputs: this.inputs,
      ...(backup
        ? { backup: { url: `file://${backup.path}`, options: {}, afterMs: backup.timeoutMs ?? BACKUP_AFTER_MS } }
        : {}),
      retryLimit,
      endMs: this.#endMs,
      // Counted from 1970, so that a server that was restarted never uses a number twice.
      resume: this.#resume ?? {
        nextMsn: Math.floor(nowMs / segmentDurationMs),
        nextInitId: Math.floor(nowMs / 1000) % 1_000_000_000,
        isContinuation: false,
      },
    };
  }
}

function newOutput(name: string, settings: StreamSettings): StreamOutput {
  return new StreamOutput(
    name,
    new LiveWindow({ partMs: settings.chunkDurationMs, segmentMs: settings.segmentDurationMs }),
  );
}
