import type { StreamOutput } from '../delivery/stream-output.ts';
import type { AdDecision } from './decision/ad-decision.ts';
import { AdOutput, type AdOutputOptions } from './ad-output.ts';
import type { ClipSource, Skip } from './clips/clip.ts';
import { InPlacePlan } from './placement/in-place/in-place-plan.ts';
import { InPlaceWindow } from './placement/in-place/in-place-window.ts';
import { InterstitialPlan } from './placement/interstitial/interstitial-plan.ts';
import { InterstitialWindow } from './placement/interstitial/interstitial-window.ts';
import { AdPlan } from './placement/separate/ad-plan.ts';
import { AdWindow } from './placement/separate/ad-window.ts';

export interface ViewerOutputOptions extends Pick<AdOutputOptions, 'delivered' | 'unreadable'> {
  readonly live: StreamOutput;
  readonly decision: AdDecision;
  readonly clips: ClipSource;
  /** True if the player inserts the clips; by default the playlist contains them. */
  readonly asInterstitials?: boolean;
  /** True if breaks with clips inside segments are DASH periods; default false. */
  readonly hasPeriods?: boolean;
  /** True if the player loads separate clips as complete segments, as DASH players do; default false. */
  readonly loadsFullSegments?: boolean;
  /** Called when a clip or a break is left out. */
  readonly skipped?: (skip: Skip) => void;
}

/** Length of the segments of clips, in milliseconds. */
export const CLIP_SEGMENT_MS = 1000;

/** Output of a live stream for one viewer, with the placement of clips that the decision and the player require. */
export function viewerOutput({ live, delivered, unreadable, ...options }: ViewerOutputOptions): AdOutput {
  return new AdOutput({ live, ...placementIn(live, options), delivered, unreadable });
}

function placementIn(
  { window: stream }: StreamOutput,
  {
    decision,
    clips,
    asInterstitials = false,
    hasPeriods,
    loadsFullSegments = false,
    skipped,
  }: Omit<ViewerOutputOptions, 'live' | 'delivered' | 'unreadable'>,
): Pick<AdOutputOptions, 'plan' | 'window'> {
  if (asInterstitials) {
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
