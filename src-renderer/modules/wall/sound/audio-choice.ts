/** Audio selection of the wall. At the start all tiles are muted, because sixteen programmes at once are noise. */
export interface AudioChoice {
  /** True to mute all tiles, whatever else is selected. */
  readonly isAllMuted: boolean;
  /** True if the selected tile is audible. */
  readonly isFollowing: boolean;
  /** Unmuted tiles. */
  readonly audible: readonly string[];
}

/** Default: no tile is audible. */
export const SILENT: AudioChoice = { isAllMuted: false, isFollowing: false, audible: [] };

/** True if a tile is audible. */
export function isAudible(choice: AudioChoice, name: string, selected: string | null): boolean {
  if (choice.isAllMuted) return false;
  return choice.isFollowing ? selected === name : choice.audible.includes(name);
}

/** Mutes or unmutes one tile. Other tiles do not change. */
export function toggleSound(choice: AudioChoice, name: string, selected: string | null): AudioChoice {
  const wasAudible = isAudible(choice, name, selected);
  const others = choice.isAllMuted || choice.isFollowing ? [] : choice.audible.filter((other) => other !== name);
  return { isAllMuted: false, isFollowing: false, audible: wasAudible ? others : [...others, name] };
}

/** Lets only this tile be heard. If it was already the only audible tile, mutes it. */
export function toggleSoloSound(choice: AudioChoice, name: string, selected: string | null): AudioChoice {
  const isAlone = isAudible(choice, name, selected) && (choice.isFollowing || choice.audible.length === 1);
  return { isAllMuted: false, isFollowing: false, audible: isAlone ? [] : [name] };
}

/** Toggles follow mode; when it is switched off, the last audible tile stays audible. */
export function toggleFollow(choice: AudioChoice, selected: string | null): AudioChoice {
  if (!choice.isFollowing || choice.isAllMuted) return { ...choice, isAllMuted: false, isFollowing: true };
  return { ...choice, isFollowing: false, audible: selected === null ? [] : [selected] };
}

/** Mutes all tiles, or restores the last selection. */
export function toggleAllMuted(choice: AudioChoice): AudioChoice {
  return { ...choice, isAllMuted: !choice.isAllMuted };
}
