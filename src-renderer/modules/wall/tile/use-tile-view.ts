import { computed } from 'vue';
import type { ComputedRef } from 'vue';
import type { StreamState } from '../../../../src-preload/contract/index.ts';
import { joinAddress, withQuery } from '../../../lib/format.ts';
import { useServerStore } from '../../../server/server-store.ts';
import { useNow } from '../../../server/use-now.ts';
import type { StreamReport } from '../../../domain/streams/store.ts';
import { useFrameAge } from '../../../domain/streams/use-frame-age.ts';
import { conditionOf, isPlayable } from '../../../domain/streams/stream-condition.ts';
import type { StreamCondition } from '../../../domain/streams/stream-condition.ts';
import { factsOf } from '../../../domain/streams/stream-facts.ts';
import type { StreamFacts } from '../../../domain/streams/stream-facts.ts';

/** View model of a tile. */
export interface TileView {
  readonly state: ComputedRef<StreamState>;
  readonly name: ComputedRef<string>;
  /** Age of the last frame in milliseconds; null before the first. */
  readonly ageMs: ComputedRef<number | null>;
  readonly condition: ComputedRef<StreamCondition>;
  /** Whether there is a picture to play. */
  readonly canPlay: ComputedRef<boolean>;
  readonly facts: ComputedRef<StreamFacts>;
  /** Server time in epoch milliseconds, updated twice a second. */
  readonly serverNowMs: ComputedRef<number>;
  /** Whether the stream has video that the server carries; true while the tracks are unknown. */
  readonly hasVideo: ComputedRef<boolean>;
  /** Codecs of all tracks in one text, to detect a change. */
  readonly codecs: ComputedRef<string>;
  /** Complete address of a path on the server, with the access query of this desk. */
  mediaUrl(path: string): string;
  /** Present age of the last frame, for the frame loop. */
  exactAgeMs(): number | null;
}

/** View model of a stream, for use inside a component. */
export function useTileView(report: () => StreamReport): TileView {
  const server = useServerStore();
  const { epochMs } = useNow();
  const age = useFrameAge();
  const state = computed(() => report().state);
  const ageMs = computed(() => age.shown(report()));
  const condition = computed(() => conditionOf(state.value, ageMs.value));
  return {
    state,
    name: computed(() => state.value.name),
    ageMs,
    condition,
    // Without its access query, the desk would count as a viewer.
    canPlay: computed(() => server.info !== null && isPlayable(condition.value)),
    facts: computed(() => factsOf(state.value)),
    serverNowMs: computed(() => epochMs.value + server.clockOffsetMs),
    hasVideo: computed(() => {
      const tracks = state.value.media_info?.tracks ?? [];
      return tracks.length === 0 || tracks.some(({ content }) => content === 'video');
    }),
    codecs: computed(() => (state.value.media_info?.tracks ?? []).map(({ codec }) => codec).join()),
    mediaUrl: (path) => withQuery(joinAddress(server.mediaBase, path), server.info?.view_query),
    exactAgeMs: () => age.exact(report()),
  };
}
