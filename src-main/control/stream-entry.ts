import type { StreamSettings } from '../config/config.ts';
import { StreamOutput } from '../delivery/stream-output.ts';
import type { StreamSpec, StreamStatus } from '../engine/messages.ts';
import { LiveWindow } from '../segment/live-window.ts';
import { SEGMENTER_DEFAULTS, type SegmenterResume } from '../segment/segmenter.ts';

/** One stream as the server thread knows it, through all its lives. */
export class StreamEntry {
  readonly name: string;
  /** Whether it is in the configuration; otherwise a publisher made it under a live prefix. */
  readonly isConfigured: boolean;
  settings: StreamSettings;
  /** Number of the current life on a media thread; undefined while it has none. */
  lifeId: number | undefined;
  status: StreamStatus | undefined;
  /** Whether a publisher holds the name, or is about to. */
  isPublished = false;
  /** Epoch milliseconds since which nobody publishes. */
  unpublishedSinceMs = 0;
  output: StreamOutput;
  #endMs = 0;
  #resume: SegmenterResume | undefined;

  constructor(name: string, settings: StreamSettings, isConfigured: boolean) {
    this.name = name;
    this.settings = settings;
    this.isConfigured = isConfigured;
    this.output = newOutput(name, settings);
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
    this.output.close();
    this.output = newOutput(this.name, this.settings);
  }

  /** What a media thread needs for the next life. @param nowMs epoch milliseconds */
  spec(lifeId: number, nowMs: number): StreamSpec {
    const { segmentDurationMs, chunkDurationMs, segmentCount, sourceTimeoutMs, inputs } = this.settings;
    const input = inputs.find(({ url }) => !url.startsWith('publish://'));
    return {
      id: lifeId,
      name: this.name,
      segmenter: { ...SEGMENTER_DEFAULTS, partMs: chunkDurationMs, segmentMs: segmentDurationMs, segmentCount },
      ...(input && !this.isPublished ? { input: { url: input.url, options: input.options } } : {}),
      sourceTimeoutMs: input?.sourceTimeoutMs ?? sourceTimeoutMs,
      endMs: this.#endMs,
      // Counted from 1970, so that a server that was restarted never uses a number twice.
      resume: this.#resume ?? { nextMsn: Math.floor(nowMs / segmentDurationMs), nextInitId: Math.floor(nowMs / 1000) % 1_000_000_000, isContinuation: false },
    };
  }
}

function newOutput(name: string, settings: StreamSettings): StreamOutput {
  return new StreamOutput(name, new LiveWindow({ partMs: settings.chunkDurationMs, segmentMs: settings.segmentDurationMs }));
}
