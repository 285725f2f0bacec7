/** Which tiles are to be heard. A wall starts silent: sixteen programmes at once are noise. */
export interface AudioChoice {
  /** Nothing is heard, whatever else is chosen. */
  readonly isAllMuted: boolean;
  /** The sound is always that of the selected tile. */
  readonly isFollowing: boolean;
  /** Tiles whose sound was switched on. */
  readonly heard: readonly string[];
}

/** No tile is heard. */
export const SILENT: AudioChoice = { isAllMuted: false, isFollowing: false, heard: [] };

/** Whether a tile is heard. */
export function isHeard(choice: AudioChoice, name: string, selected: string | null): boolean {
  if (choice.isAllMuted) return false;
  return choice.isFollowing ? selected === name : choice.heard.includes(name);
}

/** Turns the sound of one tile over: what was heard falls silent, what was silent is heard. Others stay as they are heard now. */
export function toggleSound(choice: AudioChoice, name: string, selected: string | null): AudioChoice {
  const wasHeard = isHeard(choice, name, selected);
  const others = choice.isAllMuted || choice.isFollowing ? [] : choice.heard.filter((other) => other !== name);
  return { isAllMuted: false, isFollowing: false, heard: wasHeard ? others : [...others, name] };
}

/** Only this tile is heard; nothing, if it was so already. */
export function toggleSoloSound(choice: AudioChoice, name: string, selected: string | null): AudioChoice {
  const isAlone = isHeard(choice, name, selected) && (choice.isFollowing || choice.heard.length === 1);
  return { isAllMuted: false, isFollowing: false, heard: isAlone ? [] : [name] };
}

/** Switches following on or off; switched off, the tile that was heard stays heard. */
export function toggleFollow(choice: AudioChoice, selected: string | null): AudioChoice {
  if (!choice.isFollowing || choice.isAllMuted) return { ...choice, isAllMuted: false, isFollowing: true };
  return { ...choice, isFollowing: false, heard: selected === null ? [] : [selected] };
}

/** Mutes everything, or lets be heard again what was heard before. */
export function toggleAllMuted(choice: AudioChoice): AudioChoice {
  return { ...choice, isAllMuted: !choice.isAllMuted };
}
