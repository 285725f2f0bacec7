import { onMounted, onScopeDispose, ref, shallowRef, watch } from 'vue';
import type { Ref, ShallowRef } from 'vue';
import { useBridge } from '../../../bridge.ts';
import type { TileSound } from '../sound/audio-mixer.ts';
import { FeedPlayer } from './feed-player.ts';
import { TilePlayer } from './tile-player.ts';
import type { PlayerPhase } from './tile-player.ts';
import { useWallContext } from '../wall-context.ts';

/** Inputs of a tile player as getters, read again after each change. */
export interface TilePlayerInputs {
  readonly name: () => string;
  readonly url: () => string;
  /** Whether the stream has a picture to play. */
  readonly isPlayable: () => boolean;
  /** Whether the tile is visible or audible; otherwise nothing is loaded or decoded. */
  readonly isSeen: () => boolean;
  readonly isAudible: () => boolean;
  readonly channelCount: () => number;
  /** Codecs of the stream: a player that left a part out restarts when they change. */
  readonly codecs: () => string;
  /** Start delay, so that the tiles of a page do not start at the same moment. */
  readonly startDelayMs: () => number;
}

/** Time for which the player of an invisible tile is kept, in milliseconds, so that a page shown again moves at once. */
export const KEPT_MS = 15_000;

/** Player of a tile. */
export interface TilePlayerHandle {
  readonly phase: Readonly<Ref<PlayerPhase>>;
  readonly detail: Readonly<Ref<string>>;
  /** Codec that this browser cannot decode; null if everything is played. */
  readonly missing: Readonly<Ref<string | null>>;
  readonly sound: Readonly<ShallowRef<TileSound | null>>;
  readonly hasLastFrame: Readonly<Ref<boolean>>;
  /** Plain value for the frame loop: server time of the current picture in epoch milliseconds; null while unknown. */
  playingAtMs(): number | null;
  /** Plain value for the frame loop: milliseconds before the end of the playlist; null while unknown. */
  edgeDistanceMs(): number | null;
}

/** Runs the player of a tile in the video element of the component, and keeps its last picture in the canvas. */
export function useTilePlayer(
  video: Readonly<ShallowRef<HTMLVideoElement | null>>,
  still: Readonly<ShallowRef<HTMLCanvasElement | null>>,
  wishes: TilePlayerInputs,
): TilePlayerHandle {
  const { audioMixer, lastFrames } = useWallContext();
  const phase = ref<PlayerPhase>('idle');
  const detail = ref('');
  const missing = ref<string | null>(null);
  const sound = shallowRef<TileSound | null>(null);
  const hasLastFrame = ref(false);
  const { feeds } = useBridge();
  let player: FeedPlayer | TilePlayer | null = null;
  let endOfRest: ReturnType<typeof setTimeout> | undefined;

  function connectSound(): void {
    sound.value?.close();
    sound.value = player && video.value ? audioMixer.connect(video.value, wishes.channelCount()) : null;
    sound.value?.setAudible(wishes.isAudible());
  }

  function start(): void {
    if (!video.value) return;
    if (player) {
      goOn();
      return;
    }
    if (feeds && 'MediaSource' in globalThis) {
      const feed = new FeedPlayer(video.value, {
        feeds,
        name: wishes.name(),
        onPhase: onPhase,
        onFallback: () => {
          player = null;
          playOverHttp();
        },
      });
      player = feed;
      feed.start();
    } else playOverHttp();
    connectSound();
  }

  /** Low-latency HLS, as viewers elsewhere get it. */
  function playOverHttp(): void {
    if (!video.value) return;
    player = new TilePlayer(video.value, wishes.url, onPhase);
    player.start(wishes.startDelayMs());
  }

  function onPhase(next: PlayerPhase, text = ''): void {
    // Before the player drops its picture.
    if (next === 'stalled') keepFrame();
    phase.value = next;
    detail.value = text;
    missing.value = player?.missing ?? null;
  }

  function stop(): void {
    clearTimeout(endOfRest);
    endOfRest = undefined;
    if (!player) return;
    silence();
    player.close();
    player = null;
  }

  /** Pauses pictures, sound and loading for a while; a player over HTTP is closed. */
  function rest(): void {
    if (!(player instanceof FeedPlayer)) {
      stop();
      return;
    }
    if (endOfRest !== undefined) return;
    silence();
    player.rest();
    endOfRest = setTimeout(stop, KEPT_MS);
  }

  function goOn(): void {
    if (endOfRest === undefined || !(player instanceof FeedPlayer)) return;
    clearTimeout(endOfRest);
    endOfRest = undefined;
    player.start();
    connectSound();
  }

  function silence(): void {
    keepFrame();
    sound.value?.close();
    sound.value = null;
  }

  function follow(): void {
    if (!wishes.isPlayable()) stop();
    else if (wishes.isSeen()) start();
    else rest();
  }

  function startAnew(): void {
    stop();
    follow();
  }

  function keepFrame(): void {
    if (video.value) lastFrames.keep(wishes.name(), video.value);
    showLastFrame();
  }

  function showLastFrame(): void {
    hasLastFrame.value = still.value !== null && lastFrames.draw(wishes.name(), still.value);
  }

  onMounted(() => {
    showLastFrame();
    follow();
  });
  // After layout: a tile that becomes visible needs its size, with which the feed is requested.
  watch([wishes.isPlayable, wishes.isSeen], follow, { flush: 'post' });
  // The player itself takes over a new query, without a stall.
  watch(() => wishes.url().split('?', 1)[0], startAnew);
  watch(wishes.codecs, () => {
    if (missing.value !== null || phase.value === 'unsupported') startAnew();
  });
  watch(wishes.channelCount, () => {
    if (endOfRest === undefined) connectSound();
  });
  watch(wishes.isAudible, (isAudible) => sound.value?.setAudible(isAudible));
  const endRunning = audioMixer.onRunning((isRunning) => {
    if (isRunning && !sound.value && endOfRest === undefined) connectSound();
  });
  onScopeDispose(() => {
    endRunning();
    stop();
  });

  return {
    phase,
    detail,
    missing,
    sound,
    hasLastFrame,
    playingAtMs: () => player?.playingAtMs ?? null,
    edgeDistanceMs: () => player?.edgeDistanceMs ?? null,
  };
}
