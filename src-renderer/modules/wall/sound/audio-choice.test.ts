import { describe, expect, it } from 'vitest';
import { SILENT, isAudible, toggleAllMuted, toggleFollow, toggleSoloSound, toggleSound } from './audio-choice.ts';
import type { AudioChoice } from './audio-choice.ts';

const audibleOf = (choice: AudioChoice, selected: string | null = null): string[] =>
  ['a', 'b', 'c'].filter((name) => isAudible(choice, name, selected));

describe('the audible tiles of the wall', () => {
  it('are none at first', () => {
    expect(audibleOf(SILENT, 'a')).toEqual([]);
  });

  it('are switched individually', () => {
    const both = toggleSound(toggleSound(SILENT, 'a', null), 'b', null);
    expect(audibleOf(both)).toEqual(['a', 'b']);
    expect(audibleOf(toggleSound(both, 'a', null))).toEqual(['b']);
  });

  it('can be reduced to one tile, and then to none', () => {
    const both = toggleSound(toggleSound(SILENT, 'a', null), 'b', null);
    const alone = toggleSoloSound(both, 'b', null);
    expect(audibleOf(alone)).toEqual(['b']);
    expect(audibleOf(toggleSoloSound(alone, 'b', null))).toEqual([]);
  });

  it('follow the selection, and keep the last tile when following ends', () => {
    const follow = toggleFollow(SILENT, 'a');
    expect(audibleOf(follow, 'a')).toEqual(['a']);
    expect(audibleOf(follow, 'c')).toEqual(['c']);
    expect(audibleOf(toggleFollow(follow, 'c'), 'b')).toEqual(['c']);
  });

  it('can be muted and restored together', () => {
    const one = toggleSound(SILENT, 'a', null);
    const muted = toggleAllMuted(one);
    expect(audibleOf(muted)).toEqual([]);
    expect(audibleOf(toggleAllMuted(muted))).toEqual(['a']);
  });

  it('are not restored when one tile is unmuted while all are muted', () => {
    const muted = toggleAllMuted(toggleSound(SILENT, 'a', null));
    expect(audibleOf(toggleSound(muted, 'b', null))).toEqual(['b']);
  });

  it('exclude a followed tile that is muted by its own key', () => {
    expect(audibleOf(toggleSound(toggleFollow(SILENT, 'a'), 'a', 'a'), 'a')).toEqual([]);
  });
});
