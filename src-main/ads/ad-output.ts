import { StreamOutput } from '../delivery/stream-output.ts';
import type { ChangingWindow } from '../segment/segment-window.ts';
import type { AdDecision } from './ad-decision.ts';
import { AdPlan } from './apart/ad-plan.ts';
import { AdWindow } from './apart/ad-window.ts';
import type { Clip, ClipSource, Delivered, Skip } from './clip.ts';
import { InterstitialPlan } from './interstitial-plan.ts';
import { InterstitialWindow } from './interstitial-window.ts';
import { SlotPlan } from './slot-plan.ts';
import { SlotWindow } from './slot-window.ts';

/** What a viewer with advertisements is served from. */
export interface AdOutputOptions {
  /** The stream as all others see it: what is sent counts there. */
  readonly live: StreamOutput;
  readonly decision: AdDecision;
  readonly clips: ClipSource;
  /** Whether the player inserts the clips; by default they stand among the segments. */
  readonly asInterstitials?: boolean;
  /** Whether breaks with clips inside the segments are periods; default false. */
  readonly hasPeriods?: boolean;
  /** Whether the player loads clips that are segments of their own whole, as those of DASH do; default false. */
  readonly loadsWhole?: boolean;
  /** Clips stand inside the segments of another window than the live one, by a plan that is there already. */
  readonly inside?: { readonly window: ChangingWindow; readonly plan: SlotPlan };
  /** A segment of a clip went to the viewer, for the first time. */
  readonly delivered: (delivered: Delivered) => void;
  /** A clip or a break was left out. */
  readonly skipped?: (skip: Skip) => void;
  /** Media of a clip could not be read, and why. */
  readonly unreadable?: (clip: Clip, why: string) => void;
}

/** Length of the segments of clips, in milliseconds. */
export const CLIP_SEGMENT_MS = 1000;

/** The output of a stream for one viewer, with the clips that the viewer is shown. */
export class AdOutput extends StreamOutput {
  readonly live: StreamOutput;
  readonly plan: AdPlan | SlotPlan | InterstitialPlan;
  readonly #window: AdWindow | SlotWindow | InterstitialWindow;
  readonly #options: AdOutputOptions;
  /** Whether pictures went to the viewer: then their segments count, and those of sound do not. */
  #hasPictures = false;

  constructor(options: AdOutputOptions) {
    const { live } = options;
    const { plan, window } = made(options);
    super(
      live.name,
      window,
      () => live.marks,
      () => live,
    );
    this.live = live;
    this.plan = plan;
    this.#window = window;
    this.#options = options;
  }

  /** One viewer asks once for each text: kept, they would take more memory than all the rest of the session. */
  protected override get keepsTexts(): boolean {
    return false;
  }

  override delivered(trackId: string, address: string, part?: number): void {
    const { content } = this.live.window.tracks.find(({ track }) => track.id === trackId)?.track ?? {};
    this.#hasPictures ||= content === 'video';
    if (this.#hasPictures && content !== 'video') return;
    for (const one of this.#window.deliveredIn(trackId, address, part))
      if (one.showing.delivered.add(one.index) && !one.showing.isSlate) this.#options.delivered(one);
  }

  override isOfViewer(trackId: string, address: string): boolean {
    return this.#window.isOfViewer(trackId, address);
  }

  override unreadable(trackId: string, address: string): boolean {
    const window = this.#window;
    let isClip = false;
    for (const clip of window.clipsIn(trackId, address)) {
      const why = clip.readFault?.();
      if (why === undefined) continue;
      isClip = true;
      this.#options.unreadable?.(clip, why);
    }
    // Inside a segment the stream can stand in the place of the clip, but not in that of a segment of its own.
    return isClip && window instanceof SlotWindow && window.giveUp(trackId, address);
  }

  override seen(nowMs: number): void {
    super.seen(nowMs);
    this.live.seen(nowMs);
  }
}

function made({
  live: { window: stream },
  decision,
  clips,
  asInterstitials,
  hasPeriods,
  loadsWhole = false,
  inside,
  skipped,
}: AdOutputOptions): {
  readonly plan: AdOutput['plan'];
  readonly window: AdWindow | SlotWindow | InterstitialWindow;
} {
  if (inside) return { plan: inside.plan, window: new SlotWindow(inside.window, inside.plan) };
  if (asInterstitials === true) {
    const plan = new InterstitialPlan(decision, clips, skipped);
    return { plan, window: new InterstitialWindow(stream, plan) };
  }
  if (decision.form === 'inside') {
    const plan = new SlotPlan(decision, clips, { skipped });
    return { plan, window: new SlotWindow(stream, plan, hasPeriods) };
  }
  const plan = new AdPlan(decision, clips, { skipped, loadsWhole });
  return { plan, window: new AdWindow({ stream, plan, longestClipSegmentMs: CLIP_SEGMENT_MS }) };
}
