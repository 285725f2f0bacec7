import { StreamOutput } from '../delivery/stream-output.ts';
import type { AdDecision } from './ad-decision.ts';
import { AdPlan } from './ad-plan.ts';
import { AdWindow } from './ad-window.ts';
import type { ClipSource, Showing } from './clip.ts';
import { SlotPlan } from './slot-plan.ts';
import { SlotWindow } from './slot-window.ts';

/** What a viewer with advertisements is served from. */
export interface AdOutputOptions {
  /** The stream as all others see it: what is sent counts there. */
  readonly live: StreamOutput;
  readonly decision: AdDecision;
  readonly clips: ClipSource;
  /** The first bytes of a showing of a clip are on their way. */
  readonly shown: (showing: Showing) => void;
}

/** Length of the segments of clips, in milliseconds. */
export const CLIP_SEGMENT_MS = 1000;

/** The output of a stream for one viewer, with the clips that the viewer is shown. */
export class AdOutput extends StreamOutput {
  readonly live: StreamOutput;
  readonly plan: AdPlan | SlotPlan;
  readonly #window: AdWindow | SlotWindow;
  readonly #shown: (showing: Showing) => void;

  constructor({ live, decision, clips, shown }: AdOutputOptions) {
    const { plan, window } = made(live, decision, clips);
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

  /** One viewer asks once for each text: kept, they would take more memory than all the rest of the session. */
  protected override get keepsTexts(): boolean {
    return false;
  }

  override sent(bytes: number): void {
    super.sent(bytes);
    for (const showing of this.#window.takeShown()) this.#shown(showing);
  }

  override seen(nowMs: number): void {
    super.seen(nowMs);
    this.live.seen(nowMs);
  }
}

function made(
  { window: stream }: StreamOutput,
  decision: AdDecision,
  clips: ClipSource,
): { readonly plan: AdPlan; readonly window: AdWindow } | { readonly plan: SlotPlan; readonly window: SlotWindow } {
  if (decision.form === 'inside') {
    const plan = new SlotPlan(decision, clips);
    return { plan, window: new SlotWindow(stream, plan) };
  }
  const plan = new AdPlan(decision, clips);
  return { plan, window: new AdWindow({ stream, plan, longestClipSegmentMs: CLIP_SEGMENT_MS }) };
}
