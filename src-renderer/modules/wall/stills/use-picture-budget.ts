import { useIntervalFn } from '@vueuse/core';
import type { ShallowRef } from 'vue';
import { nextBudget, UNLIMITED, type PictureBudget, type PictureLook } from './picture-budget.ts';
import { usePicturesStore } from './pictures-store.ts';

/** Time between two looks at what the tiles show, in milliseconds. */
const LOOK_MS = 2_000;

/** Watches how many pictures the tiles drop, and lets some of them show stills where the machine cannot keep up. */
export function usePictureBudget(root: Readonly<ShallowRef<HTMLElement | null>>): void {
  const pictures = usePicturesStore();
  const before = new WeakMap<HTMLVideoElement, VideoPlaybackQuality>();
  let budget: PictureBudget = UNLIMITED;

  function look(): PictureLook {
    const playing = [...(root.value?.querySelectorAll('video') ?? [])].filter(({ readyState }) => readyState >= 2);
    let [shown, dropped] = [0, 0];
    for (const video of playing) {
      const now = video.getVideoPlaybackQuality();
      const last = before.get(video);
      before.set(video, now);
      // A player that began anew counts from zero.
      if (!last || last.totalVideoFrames > now.totalVideoFrames) continue;
      const droppedNow = now.droppedVideoFrames - last.droppedVideoFrames;
      dropped += droppedNow;
      shown += now.totalVideoFrames - last.totalVideoFrames - droppedNow;
    }
    return { playing: playing.length, shown, dropped };
  }

  useIntervalFn(() => {
    // Pages behind others drop everything.
    if (document.hidden) return;
    budget = pictures.pictures === 'auto' ? nextBudget(budget, look(), performance.now()) : UNLIMITED;
    if (budget.most !== pictures.mostPlaying) pictures.setMostPlaying(budget.most);
  }, LOOK_MS);
}
