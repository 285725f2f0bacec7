import type { WallTile } from '../../../../src-preload/contract/operations/wall-calls.ts';
import { TILE_KINDS } from '../texts.ts';

/** Short description of the content of a cell. */
export function tileDescription(tile: WallTile): string {
  const kind = TILE_KINDS[tile.kind];
  if (tile.kind === 'stream') return tile.stream;
  if (tile.kind === 'group') return `${kind}: ${tile.prefix}/`;
  return 'stream' in tile ? `${kind}: ${tile.stream}` : kind;
}
