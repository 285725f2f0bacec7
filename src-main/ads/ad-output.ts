import { StreamOutput } from '../delivery/stream-output.ts';
import type { ChangingWindow } from '../segment/segment-window.ts';
import type { AdDecision } from './ad-decision.ts';
import { AdPlan } from './separate/ad-plan.ts';
import { AdWindow } from './separate/ad-window.ts';
import type { Clip, ClipSource, Delivered, Skip } from './clip.ts';
import { InterstitialPlan } from './interstitial-plan.ts';
import { InterstitialWindow } from './interstitial-window.ts';
import { InPlacePlan } from './in-place-plan.ts';
import { InPlaceWindow } from './in-place-window.ts';
import type { Explained } from '../../src-preload/contract/explanations/explanations.ts';

export interface AdOutputOptions {
  /** Output of the stream for all viewers; bytes sent count there. */
  readonly live: StreamOutput;
  readonly decision: AdDecision;
  readonly clips: ClipSource;
  /** True if the player inserts the clips; by default the playlist contains them. */
  readonly asInterstitials?: boolean;
  /** True if breaks with clips inside segments are DASH periods; default false. */
  readonly hasPeriods?: boolean;
  /** True if the player loads separate clips as complete segments, as DASH players do; default false. */
  readonly loadsFullSegments?: boolean;
  /** Window other than the live one, with an existing plan for clips inside its segments. */
  readonly inside?: { readonly window: ChangingWindow; readonly plan: InPlacePlan };
  /** Called when a segment of a clip goes to the viewer for the first time. */
  readonly delivered: (delivered: Delivered) => void;
  /** Called when a clip or a break is left out. */
  readonly skipped?: (skip: Skip) => void;
  /** Called when media of a clip cannot be read, with the reason. */
  readonly unreadable?: (clip: Clip, why: Explained) => void;
}

/** Length of the segments of clips, in milliseconds. */
export const CLIP_SEGMENT_MS = 1000;

/** Output of a stream for one viewer, with the viewer's clips. */
export class AdOutput extends StreamOutput {
  readonly live: StreamOutput;
  readonly plan: AdPlan | InPlacePlan | InterstitialPlan;
  readonly #window: AdWindow | InPlaceWindow | InterstitialWindow;
  readonly #options: AdOutputOptions;
  /** True once pictures went to the viewer: from then on only picture segments count, not those of sound. */
  #hasPictures = false;

  constructor(options: AdOutputOptions) {
    const { live } = options;
    const { plan, window } = viewOf(options);
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

  /**
   * False: only one viewer asks for each text, and only once, so a cache would take more memory than the rest of the
   * session.
   */
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
    // The stream can replace a clip inside its own segments, but not a clip that is a segment of its own.
    return isClip && window instanceof InPlaceWindow && window.giveUp(trackId, address);
  }

  override seen(nowMs: number): void {
    super.seen(nowMs);
    this.live.seen(nowMs);
  }
}

function viewOf({
  live: { window: stream },
  decision,
  clips,
  asInterstitials,
  hasPeriods,
  loadsFullSegments = false,
  inside,
  skipped,
}: AdOutputOptions): {
  readonly plan: AdOutput['plan'];
  readonly window: AdWindow | InPlaceWindow | InterstitialWindow;
} {
  if (inside) return { plan: inside.plan, window: new InPlaceWindow(inside.window, inside.plan) };
  if (asInterstitials === true) {
    const plan = new InterstitialPlan(decision, clips, skipped);
    return { plan, window: new InterstitialWindow(stream, plan) };
  }
  if (decision.form === 'in_place') {
    const plan = new InPlacePlan(decision, clips, { skipped });
    return { plan, window: new InPlaceWindow(stream, plan, hasPeriods) };
  }
  const plan = new AdPlan(decision, clips, { skipped, loadsFullSegments });
  return { plan, window: new AdWindow({ stream, plan, longestClipSegmentMs: CLIP_SEGMENT_MS }) };
}
