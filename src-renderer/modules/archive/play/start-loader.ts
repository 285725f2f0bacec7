import Hls, { type PlaylistLoaderConstructor } from 'hls.js';
import { playlistFrom } from './start-of-playlist.ts';
import { withoutSound } from './without-sound.ts';

/**
 * Loads playlists for hls.js, and adds the start position to the first of each kind: only the playlist knows the position of a
 * moment. hls.js thus loads and shows that picture at once, without another one before.
 *
 * @param ms undefined for the live edge
 * @param hasSound whether sound is loaded too
 */
export function startLoader(ms: number | undefined, hasSound: boolean): PlaylistLoaderConstructor {
  // The default playlist loader is a loader for any file.
  const Loader = Hls.DefaultConfig.loader as unknown as PlaylistLoaderConstructor;
  const started = new Set<string>();
  return class extends Loader {
    override load(...[context, config, callbacks]: Parameters<InstanceType<PlaylistLoaderConstructor>['load']>): void {
      super.load(context, config, {
        ...callbacks,
        onSuccess: (response, ...others) => {
          const { data } = response;
          if (context.type === 'manifest' && typeof data === 'string' && !hasSound)
            return callbacks.onSuccess({ ...response, data: withoutSound(data) }, ...others);
          const isFirst = context.type !== 'manifest' && !started.has(context.type);
          if (ms === undefined || typeof data !== 'string' || !isFirst) return callbacks.onSuccess(response, ...others);
          started.add(context.type);
          callbacks.onSuccess({ ...response, data: playlistFrom(data, ms) }, ...others);
        },
      });
    }
  };
}
