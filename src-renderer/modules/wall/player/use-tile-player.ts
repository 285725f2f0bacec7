import { onMounted, onScopeDispose, ref, shallowRef, watch } from 'vue';
import type { Ref, ShallowRef } from 'vue';
import { useBridge } from '../../../server/bridge.ts';
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
  readonly isActive: () => boolean;
  readonly isAudible: () => boolean;
  readonly channelCount: () => number;
  /** Codecs of the stream: a player that left a part out restarts when they change. */
  readonly codecs: () => string;
  /** Start delay, so that the tiles of a page do not start at the same moment. */
  readonly startDelayMs: () => number;
}

/** Time for which the player of an invisible tile stays open, in milliseconds, so that a page shown again plays at once. */
export const HIDDEN_MS = 15_000;

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
  inputs: TilePlayerInputs,
): TilePlayerHandle {
  const { audioMixer, lastFrames } = useWallContext();
  const phase = ref<PlayerPhase>('idle');
  const detail = ref('');
  const missing = ref<string | null>(null);
  const sound = shallowRef<TileSound | null>(null);
  const hasLastFrame = ref(false);
  const { feeds } = useBridge();
  let player: FeedPlayer | TilePlayer | null = null;
  let closeTimer: ReturnType<typeof setTimeout> | undefined;

  function connectSound(): void {
    sound.value?.close();
    sound.value = player && video.value ? audioMixer.connect(video.value, inputs.channelCount()) : null;
    sound.value?.setAudible(inputs.isAudible());
  }

  function start(): void {
    if (!video.value) return;
    if (player) {
      resume();
      return;
    }
    if (feeds && 'MediaSource' in globalThis) {
      const feed = new FeedPlayer(video.value, {
        feeds,
        name: inputs.name(),
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

  /** Plays low-latency HLS, as other viewers do. */
  function playOverHttp(): void {
    if (!video.value) return;
    player = new TilePlayer(video.value, inputs.url, onPhase);
    player.start(inputs.startDelayMs());
  }

  function onPhase(next: PlayerPhase, text = ''): void {
    // Stores the picture before the player discards it.
    if (next === 'stalled') keepFrame();
    phase.value = next;
    detail.value = text;
    missing.value = player?.missing ?? null;
  }

  function stop(): void {
    clearTimeout(closeTimer);
    closeTimer = undefined;
    if (!player) return;
    silence();
    player.close();
    player = null;
  }

  /** Pauses pictures, sound and loading for a while; a player over HTTP is closed. */
  function pause(): void {
    if (!(player instanceof FeedPlayer)) {
      stop();
      return;
    }
    if (closeTimer !== undefined) return;
    silence();
    player.pause();
    closeTimer = setTimeout(stop, HIDDEN_MS);
  }

  function resume(): void {
    if (closeTimer === undefined || !(player instanceof FeedPlayer)) return;
    clearTimeout(closeTimer);
    closeTimer = undefined;
    player.start();
    connectSound();
  }

  function silence(): void {
    keepFrame();
    sound.value?.close();
    sound.value = null;
  }

  function follow(): void {
    if (!inputs.isPlayable()) stop();
    else if (inputs.isActive()) start();
    else pause();
  }

  function restart(): void {
    stop();
    follow();
  }

  function keepFrame(): void {
    if (video.value) lastFrames.store(inputs.name(), video.value);
    showLastFrame();
  }

  function showLastFrame(): void {
    hasLastFrame.value = still.value !== null && lastFrames.draw(inputs.name(), still.value);
  }

  onMounted(() => {
    showLastFrame();
    follow();
  });
  // After layout: a tile that becomes visible needs its size, with which the feed is requested.
  watch([inputs.isPlayable, inputs.isActive], follow, { flush: 'post' });
  // The player itself takes over a new query, without a stall.
  watch(() => inputs.url().split('?', 1)[0], restart);
  watch(inputs.codecs, () => {
    if (missing.value !== null || phase.value === 'unsupported') restart();
  });
  watch(inputs.channelCount, () => {
    if (closeTimer === undefined) connectSound();
  });
  watch(inputs.isAudible, (isAudible) => sound.value?.setAudible(isAudible));
  const endRunning = audioMixer.onRunning((isRunning) => {
    if (isRunning && !sound.value && closeTimer === undefined) connectSound();
  });
  onScopeDispose(() => {
    endRunning();
    stop();
    // The browser keeps an element with sound for a while; without a parent, it keeps no other part of the page.
    video.value?.remove();
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
