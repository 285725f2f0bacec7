import Hls from 'hls.js';
import type { HlsConfig } from 'hls.js';
import { freshQueries } from '../../../lib/fresh-query.ts';
import { startLoader } from './start-loader.ts';

/** Source to open: an address, and the start moment or (undefined) the live edge. */
export interface SourceOptions {
  readonly video: HTMLVideoElement;
  /** Address with the query that is current at the time of the call. */
  readonly address: () => string;
  readonly isLive: boolean;
  readonly ms: number | undefined;
  readonly hasSound: boolean;
  /** Called when a playlist was loaded. @param rate pictures per second */
  readonly listed: (rate: number | undefined) => void;
  /**
   * Called when a segment of pictures (`main`) or sound (`audio`) starts to load, with a function that returns its loaded
   * bytes; with undefined when it is complete or was cancelled.
   */
  readonly pending: (type: string, bytes: (() => number) | undefined) => void;
  /** Called when a segment can be played. @param place range in player seconds */
  readonly loaded: (type: string, place: { readonly start: number; readonly end: number }) => void;
  /** Called when the source has failed permanently. */
  readonly failed: (state: 'failed' | 'empty' | 'unsupported') => void;
}

const CONFIG: Partial<HlsConfig> = {
  // CMAF needs no remuxing.
  enableWorker: false,
  maxBufferLength: 12,
  maxMaxBufferLength: 30,
  backBufferLength: 30,
  startFragPrefetch: true,
  liveSyncOnStallIncrease: 0,
  liveDurationInfinity: false,
  maxFragLookUpTolerance: 0.05,
  // Small pictures use a small rendition: several players in sync must decode all of their pictures.
  capLevelToPlayerSize: true,
  // Breaks and captions are shown by other means, or not at all.
  enableDateRangeMetadataCues: false,
  enableCEA708Captions: false,
};

/**
 * Limits the rendition to the size of the picture, not of the cell around it: with nine pictures on a page, cells are much
 * wider than high.
 */
function capByPicture(): Partial<HlsConfig> {
  const Base = Hls.DefaultConfig.capLevelController;
  if (!Base) return {};
  class CapByPicture extends Base {
    readonly #levels: () => Hls['levels'];
    constructor(hls: Hls) {
      super(hls);
      this.#levels = () => hls.levels;
    }
    override getDimensions(): { width: number; height: number } {
      const { width, height } = super.getDimensions();
      const [first] = this.#levels();
      const aspect = first && first.height > 0 ? first.width / first.height : width / height;
      return { width: Math.min(width, height * aspect), height: Math.min(height, width / aspect) };
    }
  }
  return { capLevelController: CapByPicture };
}

/** Plays an address in a video element. */
export function openSource({
  video,
  address,
  isLive,
  ms,
  hasSound,
  listed,
  pending,
  loaded,
  failed,
}: SourceOptions): Hls {
  const hls = new Hls({
    ...CONFIG,
    ...capByPicture(),
    lowLatencyMode: isLive,
    ...freshQueries(address),
    // Only the playlist knows the position of the moment.
    pLoader: startLoader(ms, hasSound),
  });
  hls.on(Hls.Events.LEVEL_UPDATED, (_, { level }) => listed(hls.levels[level]?.frameRate));
  hls.on(Hls.Events.FRAG_LOADING, (_, { frag }) => pending(frag.type, () => frag.stats.loaded));
  hls.on(Hls.Events.FRAG_LOADED, (_, { frag }) => pending(frag.type, undefined));
  hls.on(Hls.Events.FRAG_BUFFERED, (_, { frag }) => loaded(frag.type, frag));
  hls.on(Hls.Events.ERROR, (_, data) => {
    if (!data.fatal) return;
    const { MANIFEST_INCOMPATIBLE_CODECS_ERROR, BUFFER_ADD_CODEC_ERROR } = Hls.ErrorDetails;
    const isUnsupported = [MANIFEST_INCOMPATIBLE_CODECS_ERROR, BUFFER_ADD_CODEC_ERROR].includes(data.details);
    failed(data.response?.code === 404 ? 'empty' : isUnsupported ? 'unsupported' : 'failed');
  });
  hls.attachMedia(video);
  hls.loadSource(address());
  return hls;
}
