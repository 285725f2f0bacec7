import type { PlayerStream } from '../../../src-preload/contract/api/player-list.ts';
import type { JsonObject, ObjectSource } from '../objects/object-source.ts';
import type { StreamEntry } from '../../streams/stream-entry.ts';
import type { StreamObjects } from '../objects/stream-objects.ts';
import { archiveStats } from '../../streams/stream-stats.ts';
import { streamState, type StreamStateContext } from '../../streams/stream-state.ts';

/** Streams as players see them, without their inputs. */
export function playerStreams(streams: StreamObjects, context: () => StreamStateContext): ObjectSource<StreamEntry> {
  return {
    rows: () => streams.rows(),
    find: (name) => streams.find(name),
    getter: (path) => streams.getter(path),
    texts: ({ name, settings }) => [name, settings.title, settings.provider],
    // The schema of the contract describes JSON.
    object: (entry) => playerStream(entry, context()) as unknown as JsonObject,
  };
}

/** Stream as players see it, in their list and in its `info.json`. */
export function playerStream(entry: StreamEntry, context: StreamStateContext): PlayerStream {
  const { name, settings, status } = entry;
  const state = streamState(entry, context);
  return {
    name,
    title: settings.title,
    provider: settings.provider,
    named_by: state.named_by,
    position: settings.position ?? 0,
    playback: state.playback,
    stats: {
      status: state.status,
      alive: state.alive,
      bitrate: state.bitrate,
      last_dts_at: status?.lastUnitMs || null,
      dvr_info: archiveOf(entry),
      media_info: state.media_info,
    },
  };
}

/** Archive as players see it; empty if access to the archive is authorized separately. */
function archiveOf(entry: StreamEntry): PlayerStream['stats']['dvr_info'] {
  const { dvr_info: info } = archiveStats(entry);
  return info && !entry.settings.isDvrProtected ? { from: info.from, depth: info.depth } : null;
}
