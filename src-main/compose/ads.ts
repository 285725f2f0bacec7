import { Advertisements } from '../ads/advertisements.ts';
import { CLIP_SEGMENT_MS } from '../ads/ad-output.ts';
import { clipMs } from '../ads/clip.ts';
import type { ComparedClip } from '../ads/clip-fit.ts';
import type { Config } from '../config/config.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import { every } from '../lib/timers.ts';
import { OpenFiles } from '../vod/open-files.ts';
import type { ServerOptions } from './server-options.ts';
import { locationsOf } from './vod.ts';

/** What advertisements are inserted with. */
export interface AdsDeps {
  readonly options: Pick<ServerOptions, 'clock' | 'dataFolder'>;
  readonly events: EventEmitter;
  readonly config: Config;
}

/** Advertisements in streams. */
export interface AdsUnit {
  readonly advertisements: Advertisements;
  /** Opens a file of a VOD location as a clip, or says why it is none. */
  inspect(name: string): Promise<ComparedClip | { readonly detail: string }>;
  /** Takes another configuration. */
  apply(config: Config): void;
  close(): void;
}

/** How often it is looked for clips that are not read any more, in milliseconds. */
const SWEEP_MS = 10_000;

/** Makes what inserts advertisements. */
export function openAds({ options: { clock, dataFolder }, events, config }: AdsDeps): AdsUnit {
  // Clips have segments of their own length, so their indexes are others than those of the same files as streams.
  const files = new OpenFiles({ clock });
  const advertisements = new Advertisements({
    clock,
    files: {
      async open(path) {
        const found = await files.open(path);
        if ('window' in found) {
          const { window } = found;
          return { path, window, addressPrefix: window.periods()[0]?.addressPrefix ?? '' };
        }
        const reason = found.code === 'vod_file_not_found' ? 'clip_not_found' : 'clip_unusable';
        return { path, reason, detail: found.detail };
      },
    },
    shown: ({ id, name, visitor, userId }, { clip, count, placement, startMs }, { insertBy }) => {
      events.emit('ad_inject', {
        media: name,
        submedia: null,
        path: clip.path,
        placement,
        duration: clipMs(clip, count) / 1000,
        midroll_insert_by: placement === 'midroll' ? insertBy : null,
        session_id: id,
        dts: Math.round(startMs),
        country: visitor.country,
        user_id: userId,
        user_name: null,
      });
    },
  });
  const apply = (changed: Config): void => {
    files.apply(locationsOf(changed, dataFolder).map((location) => ({ ...location, segmentMs: CLIP_SEGMENT_MS })));
    advertisements.forget();
  };
  apply(config);
  const stopSweeping = every(clock, SWEEP_MS, () => {
    files.sweep(clock.now());
  });
  return {
    advertisements,
    inspect: async (name) => {
      const found = await files.open(name);
      return 'window' in found ? found.window : found;
    },
    apply,
    close() {
      stopSweeping();
      files.close();
    },
  };
}
