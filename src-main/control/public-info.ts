import type { StreamState } from '../../src-preload/contract/streams.ts';

/** What `info.json` tells any viewer: nothing of the inputs. */
export function publicInfo(state: StreamState): Record<string, unknown> {
  return {
    name: state.name,
    ...(state.title === undefined ? {} : { title: state.title }),
    stats: {
      status: state.status,
      alive: state.alive,
      bitrate: state.bitrate,
      client_count: state.client_count,
      media_info: state.media_info,
    },
  };
}
