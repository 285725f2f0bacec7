import Hls, { type PlaylistLoaderConstructor } from 'hls.js';
import { playlistFrom } from './start-of-playlist.ts';

/**
 * Loads playlists for hls.js, and says in the first of each kind where to begin: at a moment, which only the playlist knows the place of. So it loads and shows
 * that picture at once, without another one before it.
 */
export function startLoader(ms: number): PlaylistLoaderConstructor {
  // What loads playlists without it is a loader of any file.
  const Loader = Hls.DefaultConfig.loader as unknown as PlaylistLoaderConstructor;
  const begun = new Set<string>();
  return class extends Loader {
    override load(...[context, config, callbacks]: Parameters<InstanceType<PlaylistLoaderConstructor>['load']>): void {
      super.load(context, config, {
        ...callbacks,
        onSuccess: (response, ...rest) => {
          const { data } = response;
          const isFirst = context.type !== 'manifest' && !begun.has(context.type);
          if (typeof data !== 'string' || !isFirst) return callbacks.onSuccess(response, ...rest);
          begun.add(context.type);
          callbacks.onSuccess({ ...response, data: playlistFrom(data, ms) }, ...rest);
        },
      });
    }
  };
}
