import { expect } from 'vitest';
import { renderMediaPlaylist } from '../../src-main/packaging/hls/media-playlist.ts';
import type { StreamRun } from './stream-run.ts';
import { checkReload, readStrictPlaylist, type ReadPlaylist } from './strict-playlist.ts';

/** Clients of one stream, one per track, that reload at irregular times. */
export class HlsClients {
  readonly stream: Pick<StreamRun, 'window'>;
  readonly #full = new Map<string, ReadPlaylist>();
  /** Discontinuity sequence numbers by media sequence number, which must agree in all renditions. */
  readonly #discontinuities = new Map<number, number>();
  #mayLackParts = false;
  reloads = 0;
  deltas = 0;

  constructor(stream: Pick<StreamRun, 'window'>) {
    this.stream = stream;
  }

  /**
   * Allows that parts are missing: the thread of the stream crashed, so the open segment may end before parts that were
   * already listed, because all tracks end together.
   */
  crashed(): void {
    this.#mayLackParts = true;
    for (const [id, playlist] of this.#full) {
      const segments = playlist.segments.map((one) => (one.uri === undefined ? { ...one, parts: [] } : one));
      this.#full.set(id, { ...playlist, segments, hint: undefined });
    }
  }

  /** Current playlists of the clients. */
  get playlists(): Iterable<ReadPlaylist> {
    return this.#full.values();
  }

  reload(): void {
    const { window } = this.stream;
    const now = new Map<string, ReadPlaylist>();
    for (const id of this.#full.keys()) if (!window.tracks.some(({ track }) => track.id === id)) this.#full.delete(id);
    for (const { track } of window.tracks) {
      const text = renderMediaPlaylist(window, { trackId: track.id });
      if (text === undefined) continue;
      const playlist = readStrictPlaylist(text, undefined, this.#mayLackParts);
      now.set(track.id, playlist);
      const before = this.#full.get(track.id);
      if (before && before.mediaSequence <= playlist.mediaSequence) {
        checkReload(before, playlist);
        this.#checkDelta(track.id, before, playlist);
      }
      for (const { msn, discontinuity } of playlist.segments) {
        const earlier = this.#discontinuities.get(msn) ?? discontinuity;
        if (earlier !== discontinuity)
          throw new Error(
            `segment ${msn} of ${track.id} is after ${discontinuity} discontinuities, elsewhere ${earlier}`,
          );
        this.#discontinuities.set(msn, earlier);
      }
      this.#full.set(track.id, playlist);
      this.reloads++;
    }
    for (const playlist of now.values()) {
      for (const [uri, { msn, part }] of playlist.reports) {
        const other = now.get(uri.split('/')[1] ?? '');
        const last = other?.segments.findLast((segment) => segment.parts.length > 0 || segment.uri !== undefined);
        if (!last) continue;
        expect({ msn, part }).toEqual({ msn: last.msn, part: Math.max(0, partsOf(this.stream, uri, last.msn) - 1) });
      }
    }
  }

  /** Checks that a delta update, applied to the playlist of the client, equals the complete playlist. */
  #checkDelta(trackId: string, before: ReadPlaylist, full: ReadPlaylist): void {
    const text = renderMediaPlaylist(this.stream.window, { trackId, isDelta: true });
    // A client requests a delta update only if its playlist is recent enough, so no skipped segment is new to the
    // client.
    const isYoung = full.mediaSequence + full.segments.length - (before.mediaSequence + before.segments.length) <= 2;
    if (text === undefined || !isYoung || (text.includes('#EXT-X-SKIP') && before.segments.length < 3)) return;
    const delta = readStrictPlaylist(text, before, this.#mayLackParts);
    if (delta.skipped > 0) this.deltas++;
    const bare = (playlist: ReadPlaylist): unknown => ({
      ...playlist,
      skipped: 0,
      segments: playlist.segments.map((segment, index) =>
        index < delta.skipped ? { ...segment, parts: [] } : segment,
      ),
    });
    expect(bare(delta)).toEqual(bare(full));
  }
}

function partsOf(stream: Pick<StreamRun, 'window'>, uri: string, msn: number): number {
  return stream.window.segmentByMsn(uri.split('/')[1] ?? '', msn)?.segment.parts.length ?? 0;
}
