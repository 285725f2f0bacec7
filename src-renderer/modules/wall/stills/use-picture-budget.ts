import { useIntervalFn } from '@vueuse/core';
import type { ShallowRef } from 'vue';
import { CHECK_MS, nextBudget, UNLIMITED, type PictureBudget, type PictureSample } from './picture-budget.ts';
import { usePicturesStore } from './pictures-store.ts';

/** Time after which an unchanged picture counts as freezing, in milliseconds; shorter than the time of the watchdog. */
const FROZEN_MS = 700;
/** Maximum time to the first picture: the tiles of a page start together. */
const FIRST_PICTURE_MS = 4_000;
/** Pictures between two samples that prove a moving stream; a stream with fewer pictures per second is not frozen. */
const MOVING_PICTURES = 3;
/** A longer pause means that the machine slept, and earlier samples are invalid; in milliseconds. */
const SUSPENDED_MS = 5_000;
/** Minimum buffered media, in seconds: with less, the stream is the cause and not the machine. */
const MIN_LEAD_S = 0.1;

interface PictureCounts {
  readonly shown: number;
  readonly dropped: number;
  /** Highest number of new pictures between two samples. */
  readonly maxStep: number;
  /** Time of the last new picture, by `performance.now`. */
  readonly movedMs: number;
}

/** Counts the pictures shown by the tiles, and switches some tiles to stills if the machine cannot keep up. */
export function usePictureBudget(root: Readonly<ShallowRef<HTMLElement | null>>): void {
  const pictures = usePicturesStore();
  let before = new WeakMap<HTMLVideoElement, PictureCounts>();
  let sampledMs = 0;
  let budget: PictureBudget = UNLIMITED;

  function sample(nowMs: number): PictureSample {
    // Players of covered tiles (a class of `WallGrid`) stay paused for some time.
    const visible = <Found extends Element>(found?: NodeListOf<Found>): Found[] =>
      [...(found ?? [])].filter((element) => element.closest('.covered') === null);
    const playing = visible(root.value?.querySelectorAll('video')).filter(({ readyState }) => readyState >= 1);
    let [shown, dropped, frozen] = [0, 0, 0];
    for (const video of playing) {
      const { totalVideoFrames, droppedVideoFrames } = video.getVideoPlaybackQuality();
      const last = before.get(video);
      const now = { shown: totalVideoFrames - droppedVideoFrames, dropped: droppedVideoFrames };
      // A restarted player counts from zero.
      const isNew = !last || last.shown > now.shown || last.dropped > now.dropped;
      const isMoving = isNew || now.shown > last.shown || !hasMedia(video);
      const maxStep = isNew ? 0 : Math.max(last.maxStep, now.shown - last.shown);
      const movedMs = isMoving ? nowMs : last.movedMs;
      before.set(video, { ...now, maxStep, movedMs });
      const maxFrozenMs = now.shown === 0 ? FIRST_PICTURE_MS : maxStep < MOVING_PICTURES ? Infinity : FROZEN_MS;
      if (nowMs - movedMs >= maxFrozenMs) frozen++;
      if (isNew) continue;
      shown += now.shown - last.shown;
      dropped += now.dropped - last.dropped;
    }
    const playable = visible(root.value?.querySelectorAll('article[data-stream]')).length;
    return { playing: playing.length, playable, shown, dropped, frozen };
  }

  useIntervalFn(() => {
    // Background pages drop all pictures.
    const nowMs = performance.now();
    const wasSuspended = nowMs - sampledMs > SUSPENDED_MS;
    sampledMs = nowMs;
    if (document.hidden || wasSuspended || pictures.pictures !== 'auto') {
      before = new WeakMap();
      if (pictures.pictures !== 'auto') budget = UNLIMITED;
      return;
    }
    budget = nextBudget(budget, sample(nowMs), nowMs);
    if (budget.maxPlaying !== pictures.maxPlaying) pictures.setMaxPlaying(budget.maxPlaying);
  }, CHECK_MS);
}

/** True if media of a stream with pictures is buffered. */
function hasMedia({ buffered, currentTime, videoWidth, paused }: HTMLVideoElement): boolean {
  if (paused || videoWidth === 0 || buffered.length === 0) return false;
  return buffered.end(buffered.length - 1) - currentTime >= MIN_LEAD_S;
}
