import type { ChangingWindow, Init, WindowInterstitial, WindowSegment } from '../../../segment/segment-window.ts';
import type { Clip } from '../../clips/clip.ts';
import type { InterstitialPlan } from './interstitial-plan.ts';
import { StreamView } from '../stream-view.ts';
import type { Delivered } from '../../proof/showing.ts';

/** Unchanged stream, with the breaks of one viewer as interstitials. */
export class InterstitialWindow extends StreamView<InterstitialPlan> implements ChangingWindow {
  get firstMsn(): number | undefined {
    return this.stream.firstMsn;
  }

  segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    const media = this.advanced().mediaOf(address);
    return (media ?? this.stream).segmentByAddress(trackId, address);
  }

  segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    return this.stream.segmentByMsn(trackId, msn);
  }

  init(trackId: string, initId: number, addressPrefix = ''): Init | undefined {
    const media = this.advanced().mediaOf(addressPrefix);
    return (media ?? this.stream).init(trackId, initId, addressPrefix);
  }

  interstitials(): readonly WindowInterstitial[] {
    return this.advanced().listed;
  }

  interstitial(id: string): ChangingWindow | undefined {
    return this.advanced().media(id);
  }

  isOfViewer(trackId: string, address: string): boolean {
    return this.clipsIn(trackId, address).length > 0;
  }

  /** Clip that contains a segment, if any. */
  clipsIn(trackId: string, address: string): readonly Clip[] {
    return this.deliveredIn(trackId, address).map(({ showing }) => showing.clip);
  }

  /** Clip segment with an address, if any. */
  deliveredIn(trackId: string, address: string): readonly Delivered[] {
    return this.advanced().mediaOf(address)?.deliveredIn(trackId, address) ?? [];
  }
}
