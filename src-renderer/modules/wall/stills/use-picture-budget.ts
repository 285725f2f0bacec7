import { useIntervalFn } from '@vueuse/core';
import type { ShallowRef } from 'vue';
import { LOOK_MS, nextBudget, UNLIMITED, type PictureBudget, type PictureLook } from './picture-budget.ts';
import { usePicturesStore } from './pictures-store.ts';

/** A picture that stands for so long will soon be seen to, in milliseconds. */
const STANDS_MS = 700;
/** The first picture may take so long: tiles of a page begin together. */
const BEGINS_MS = 4_000;
/** So many new pictures between two looks at some time: a stream of few pictures a second does not stand. */
const MOVING_PICTURES = 3;
/** After such a pause, in which the machine slept, what was seen before says nothing; in milliseconds. */
const SLEPT_MS = 5_000;
/** With less to play than this it is the stream that is late, and not the machine; in seconds. */
const MIN_LEAD_S = 0.1;

interface Seen {
  readonly shown: number;
  readonly dropped: number;
  /** Most new pictures between two looks. */
  readonly most: number;
  /** When the last new picture was seen, by `performance.now`. */
  readonly movedMs: number;
}

/** Watches how many pictures the tiles show, and lets some of them show stills where the machine cannot keep up. */
export function usePictureBudget(root: Readonly<ShallowRef<HTMLElement | null>>): void {
  const pictures = usePicturesStore();
  let before = new WeakMap<HTMLVideoElement, Seen>();
  let lookedMs = 0;
  let budget: PictureBudget = UNLIMITED;

  function look(nowMs: number): PictureLook {
    // Players of tiles that are not seen are kept for a while, and rest.
    const seen = <Found extends Element>(found?: NodeListOf<Found>): Found[] =>
      [...(found ?? [])].filter((element) => element.closest('.behind') === null);
    const playing = seen(root.value?.querySelectorAll('video')).filter(({ readyState }) => readyState >= 1);
    let [shown, dropped, standing] = [0, 0, 0];
    for (const video of playing) {
      const { totalVideoFrames, droppedVideoFrames } = video.getVideoPlaybackQuality();
      const last = before.get(video);
      const now = { shown: totalVideoFrames - droppedVideoFrames, dropped: droppedVideoFrames };
      // A player that began anew counts from zero.
      const isNew = !last || last.shown > now.shown || last.dropped > now.dropped;
      const isMoving = isNew || now.shown > last.shown || !hasMedia(video);
      const most = isNew ? 0 : Math.max(last.most, now.shown - last.shown);
      const movedMs = isMoving ? nowMs : last.movedMs;
      before.set(video, { ...now, most, movedMs });
      const mayStandMs = now.shown === 0 ? BEGINS_MS : most < MOVING_PICTURES ? Infinity : STANDS_MS;
      if (nowMs - movedMs >= mayStandMs) standing++;
      if (isNew) continue;
      shown += now.shown - last.shown;
      dropped += now.dropped - last.dropped;
    }
    const wanted = seen(root.value?.querySelectorAll('article[data-stream]')).length;
    return { playing: playing.length, wanted, shown, dropped, standing };
  }

  useIntervalFn(() => {
    // Pages behind others drop everything.
    const nowMs = performance.now();
    const hasSlept = nowMs - lookedMs > SLEPT_MS;
    lookedMs = nowMs;
    if (document.hidden || hasSlept || pictures.pictures !== 'auto') {
      before = new WeakMap();
      if (pictures.pictures !== 'auto') budget = UNLIMITED;
      return;
    }
    budget = nextBudget(budget, look(nowMs), nowMs);
    if (budget.most !== pictures.mostPlaying) pictures.setMostPlaying(budget.most);
  }, LOOK_MS);
}

/** Whether there is something to play, of a stream with a picture. */
function hasMedia({ buffered, currentTime, videoWidth, paused }: HTMLVideoElement): boolean {
  if (paused || videoWidth === 0 || buffered.length === 0) return false;
  return buffered.end(buffered.length - 1) - currentTime >= MIN_LEAD_S;
}
