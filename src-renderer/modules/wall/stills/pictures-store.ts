import { defineStore } from 'pinia';
import { useWallStore } from '../store.ts';

/** Which tiles play video: as many as the machine can keep up with, all, or none but those that are heard or stand alone. */
export type Pictures = 'auto' | 'video' | 'stills';

/** Why a tile shows a picture a second instead of video; null where it plays. */
export type StillsReason = 'chosen' | 'busy' | null;

/** Which tiles of the wall play video. */
export const usePicturesStore = defineStore('wallPictures', {
  state: (): { pictures: Pictures; mostPlaying: number } => ({
    pictures: 'auto',
    /** Most tiles that may play where the machine decides; the others show a picture a second. */
    mostPlaying: Infinity,
  }),
  getters: {
    /** Streams of the page that may play: the largest tiles first, and of those the first that one reads. */
    playing({ mostPlaying }): ReadonlySet<string> {
      const wall = useWallStore();
      const tiles = (wall.placed[wall.page] ?? []).filter(({ stream }) => stream !== null);
      tiles.sort((one, other) => other.cell.w * other.cell.h - one.cell.w * one.cell.h);
      return new Set(tiles.slice(0, mostPlaying).flatMap(({ stream }) => stream ?? []));
    },
    /** Whether some tiles show stills although they could play. */
    hasStills: ({ pictures, mostPlaying }): boolean =>
      pictures === 'stills' || (pictures === 'auto' && Number.isFinite(mostPlaying)),
    /** Why a tile shows stills. What is heard or stands alone plays. */
    stillsOf() {
      return (name: string): StillsReason => {
        const wall = useWallStore();
        if (wall.solo === name || wall.isHeard(name)) return null;
        if (this.pictures === 'stills') return 'chosen';
        // Where the machine keeps up, the tiles of a page that was left are kept as they are.
        return this.hasStills && !wall.isNarrow && !this.playing.has(name) ? 'busy' : null;
      };
    },
  },
  actions: {
    setPictures(pictures: Pictures) {
      this.pictures = pictures;
      this.mostPlaying = Infinity;
    },
    toggleStills() {
      this.setPictures(this.pictures === 'stills' ? 'auto' : 'stills');
    },
    setMostPlaying(most: number) {
      this.mostPlaying = most;
    },
  },
});
