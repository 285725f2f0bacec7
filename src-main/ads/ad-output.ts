import { StreamOutput } from '../delivery/stream-output.ts';
import type { AdDecision } from './ad-decision.ts';
import { AdPlan, type ClipSource, type ClipStretch } from './ad-plan.ts';
import { AdWindow } from './ad-window.ts';

/** What a viewer with advertisements is served from. */
export interface AdOutputOptions {
  /** The stream as all others see it: what is sent counts there. */
  readonly live: StreamOutput;
  readonly decision: AdDecision;
  readonly clips: ClipSource;
  /** The first bytes of a showing of a clip are on their way. */
  readonly shown: (stretch: ClipStretch) => void;
}

/** Length of the segments of clips, in milliseconds. */
export const CLIP_SEGMENT_MS = 1000;

/** The output of a stream for one viewer, with the clips that the viewer is shown. */
export class AdOutput extends StreamOutput {
  readonly live: StreamOutput;
  readonly plan: AdPlan;
  readonly #window: AdWindow;
  readonly #shown: (stretch: ClipStretch) => void;

  constructor({ live, decision, clips, shown }: AdOutputOptions) {
    const plan = new AdPlan(decision, clips);
    const window = new AdWindow({ stream: live.window, plan, longestClipSegmentMs: CLIP_SEGMENT_MS });
    super(
      live.name,
      window,
      () => live.marks,
      () => live,
    );
    this.live = live;
    this.plan = plan;
    this.#window = window;
    this.#shown = shown;
  }

  override sent(bytes: number): void {
    super.sent(bytes);
    const shown = this.#window.takeShown();
    if (shown) this.#shown(shown);
  }

  override seen(nowMs: number): void {
    super.seen(nowMs);
    this.live.seen(nowMs);
  }
}
