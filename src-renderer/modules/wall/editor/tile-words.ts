import type { WallTile } from '../../../../src-preload/contract/wall-calls.ts';
import { TILE_KINDS } from '../texts.ts';

/** What a cell shows, in a few words. */
export function tileWords(tile: WallTile): string {
  return tile.kind === 'stream' ? tile.stream : TILE_KINDS[tile.kind];
}
