import { describe, expect, it } from 'vitest';
import { SILENT, isHeard, toggleAllMuted, toggleFollow, toggleSoloSound, toggleSound } from './audio-choice.ts';
import type { AudioChoice } from './audio-choice.ts';

const heardOf = (choice: AudioChoice, selected: string | null = null): string[] =>
  ['a', 'b', 'c'].filter((name) => isHeard(choice, name, selected));

describe('sound of the wall', () => {
  it('starts silent', () => {
    expect(heardOf(SILENT, 'a')).toEqual([]);
  });

  it('switches tiles on and off one by one', () => {
    const both = toggleSound(toggleSound(SILENT, 'a', null), 'b', null);
    expect(heardOf(both)).toEqual(['a', 'b']);
    expect(heardOf(toggleSound(both, 'a', null))).toEqual(['b']);
  });

  it('lets one tile be heard alone, and back', () => {
    const both = toggleSound(toggleSound(SILENT, 'a', null), 'b', null);
    const alone = toggleSoloSound(both, 'b', null);
    expect(heardOf(alone)).toEqual(['b']);
    expect(heardOf(toggleSoloSound(alone, 'b', null))).toEqual([]);
  });

  it('follows the selection, and stays with it when following ends', () => {
    const follow = toggleFollow(SILENT, 'a');
    expect(heardOf(follow, 'a')).toEqual(['a']);
    expect(heardOf(follow, 'c')).toEqual(['c']);
    expect(heardOf(toggleFollow(follow, 'c'), 'b')).toEqual(['c']);
  });

  it('mutes all and brings back what was heard', () => {
    const one = toggleSound(SILENT, 'a', null);
    const muted = toggleAllMuted(one);
    expect(heardOf(muted)).toEqual([]);
    expect(heardOf(toggleAllMuted(muted))).toEqual(['a']);
  });

  it('does not bring others back when one tile is switched on under mute all', () => {
    const muted = toggleAllMuted(toggleSound(SILENT, 'a', null));
    expect(heardOf(toggleSound(muted, 'b', null))).toEqual(['b']);
  });

  it('turns the followed tile off with its own key', () => {
    expect(heardOf(toggleSound(toggleFollow(SILENT, 'a'), 'a', 'a'), 'a')).toEqual([]);
  });
});
