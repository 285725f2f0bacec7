import { defineStore } from 'pinia';
import { useWallStore } from '../store.ts';

/** Video mode: as many tiles as the machine can play, all tiles, or only audible and solo tiles. */
export type Pictures = 'auto' | 'video' | 'stills';

/** Reason for stills instead of video; null for a playing tile. */
export type StillsReason = 'chosen' | 'busy' | null;

/** Choice and budget of the tiles that play video. */
export const usePicturesStore = defineStore('wallPictures', {
  state: (): { pictures: Pictures; maxPlaying: number } => ({
    pictures: 'auto',
    /** Maximum number of playing tiles in automatic mode; other tiles show one still per second. */
    maxPlaying: Infinity,
  }),
  getters: {
    /** Streams of the page that may play: largest tiles first, then in reading order. */
    playing({ maxPlaying }): ReadonlySet<string> {
      const wall = useWallStore();
      const tiles = (wall.placed[wall.page] ?? []).filter(({ stream }) => stream !== null);
      tiles.sort((one, other) => other.cell.w * other.cell.h - one.cell.w * one.cell.h);
      return new Set(tiles.slice(0, maxPlaying).flatMap(({ stream }) => stream ?? []));
    },
    /** Whether some tiles show stills although they could play. */
    hasStills: ({ pictures, maxPlaying }): boolean =>
      pictures === 'stills' || (pictures === 'auto' && Number.isFinite(maxPlaying)),
    /** Reason for stills. Audible and solo tiles always play. */
    stillsOf() {
      return (name: string): StillsReason => {
        const wall = useWallStore();
        if (wall.solo === name || wall.isAudible(name)) return null;
        if (this.pictures === 'stills') return 'chosen';
        // Without a limit, recently left tiles keep their video.
        return this.hasStills && !wall.isNarrow && !this.playing.has(name) ? 'busy' : null;
      };
    },
  },
  actions: {
    setPictures(pictures: Pictures) {
      this.pictures = pictures;
      this.maxPlaying = Infinity;
    },
    toggleStills() {
      this.setPictures(this.pictures === 'stills' ? 'auto' : 'stills');
    },
    setMaxPlaying(max: number) {
      this.maxPlaying = max;
    },
  },
});
