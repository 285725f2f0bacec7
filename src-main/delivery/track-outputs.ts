import { ChosenTracks, type EarlierTracks } from '../packaging/chosen-tracks.ts';
import type { Session } from '../sessions/session.ts';
import type { MediaAddress } from './media-address.ts';
import { SessionTracks } from './session-tracks.ts';
import { StreamOutput } from './stream-output.ts';
import { printEarlier, readTrackQuery, type TrackQuery } from './track-query.ts';

/** Maximum number of cached track choices per output. */
const MAX_CHOICES = 16;

/** Output with some tracks of another output, which counts its bytes and viewers. */
class TrackOutput extends StreamOutput {
  readonly #output: StreamOutput;

  constructor(
    output: StreamOutput,
    name: string,
    ids: readonly string[] | undefined,
    earlier: readonly EarlierTracks[],
  ) {
    super(
      name,
      new ChosenTracks(output.window, ids, earlier),
      () => output.marks,
      () => output,
      output.texts,
    );
    this.#output = output;
  }

  override delivered(trackId: string, address: string, part?: number): void {
    this.#output.delivered(trackId, address, part);
  }

  override isOfViewer(trackId: string, address: string): boolean {
    return this.#output.isOfViewer(trackId, address);
  }

  override unreadable(trackId: string, address: string): boolean {
    return this.#output.unreadable(trackId, address);
  }

  override recordActivity(nowMs: number): void {
    this.#output.recordActivity(nowMs);
  }

  override wait(isDone: () => boolean, deadlineMs: number, wake: (isInTime: boolean) => void): () => void {
    return this.#output.wait(isDone, deadlineMs, wake);
  }

  override watch(): () => void {
    const left = [super.watch(), this.#output.watch()];
    return () => {
      for (const leave of left) leave();
    };
  }
}

/** Outputs with a selection of tracks: one for each selection, as long as the complete output exists. */
export class TrackOutputs {
  readonly #sessionTracks = new SessionTracks();
  readonly #outputs = new WeakMap<StreamOutput, Map<string, TrackOutput>>();

  /**
   * Output for a request: the complete one, or some of its tracks.
   * @returns query, with `?`, of the address to redirect to; `bad` if the query is invalid; undefined if the output has
   * none of the tracks
   */
  of(
    output: StreamOutput,
    address: MediaAddress,
    query: string,
    session: Session | undefined,
  ): StreamOutput | `?${string}` | 'bad' | undefined {
    const chosen = this.#sessionTracks.queryOf(address, query, session, output.window);
    if (chosen !== undefined) return `?${chosen}`;
    const requested = readTrackQuery(address, query);
    return requested && requested !== 'bad' ? this.#part(output, requested) : (requested ?? output);
  }

  #part(output: StreamOutput, { ids, earlier = [], isInPath }: TrackQuery): StreamOutput | undefined {
    const chosen = ids && [...new Set(ids)].sort();
    const tracks = output.window.listedTracks ?? output.window.tracks;
    if (chosen && tracks.length > 0 && !tracks.some(({ track }) => chosen.includes(track.id))) return undefined;
    const all = this.#allOf(output);
    // Relative addresses in a text of this folder start one level deeper.
    const name = isInPath ? `${output.name}/tracks-${chosen?.join('') ?? ''}` : output.name;
    const key = `${isInPath ? '/' : '?'}${chosen?.join('') ?? ''}${printEarlier(earlier)}`;
    const existing = all.get(key);
    if (existing) return existing;
    if (all.size >= MAX_CHOICES) forgetIdle(all);
    const trackOutput = new TrackOutput(output, name, chosen, earlier);
    all.set(key, trackOutput);
    return trackOutput;
  }

  #allOf(output: StreamOutput): Map<string, TrackOutput> {
    const existing = this.#outputs.get(output);
    if (existing) return existing;
    const all = new Map<string, TrackOutput>();
    this.#outputs.set(output, all);
    output.onClose(() => {
      for (const one of all.values()) one.close();
      all.clear();
    });
    return all;
  }
}

function forgetIdle(all: Map<string, TrackOutput>): void {
  for (const [key, one] of all) {
    if (one.hasWatchers || one.closeListenerCount > 0) continue;
    one.close();
    all.delete(key);
  }
}
