import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import {
  WALLS_MAX,
  wallSchema,
  type Wall,
  type WallTile,
} from '../../../src-preload/contract/operations/wall-calls.ts';
import type { WallRepository } from '../../db/wall-repository.ts';
import type { Caller } from '../../operators/caller.ts';
import { isInScope } from '../../operators/require.ts';
import { TileLabels } from './tile-labels.ts';

/** Persistent store of walls, as texts by name. */
type WallStore = Pick<WallRepository, 'all' | 'put' | 'remove'>;

/** Stream or group that a cell shows; undefined if it shows neither. */
function streamsOf(tile: WallTile): string | undefined {
  if (tile.kind === 'group') return tile.prefix;
  return 'stream' in tile ? tile.stream : undefined;
}

/** Walls that all desks of this server share. */
export class WallService {
  readonly labels = new TileLabels();
  readonly #store: WallStore | undefined;

  /** @param store undefined if walls cannot be stored */
  constructor(store: WallStore | undefined) {
    this.#store = store;
  }

  /** Walls in the caller's scope; empty if they cannot be stored. */
  list(caller: Pick<Caller, 'prefixes'>): Wall[] {
    const walls = this.#all();
    if (caller.prefixes === undefined) return walls;
    return walls.flatMap((wall) => {
      const streams = wall.streams.filter((name) => isInScope(caller, name));
      const cells = wall.cells.filter(({ tile }) => isInScope(caller, streamsOf(tile) ?? caller.prefixes?.[0] ?? ''));
      const isSeen = streams.length > 0 || cells.some(({ tile }) => streamsOf(tile) !== undefined);
      return isSeen ? [{ ...wall, streams, cells }] : [];
    });
  }

  /**
   * Saves a wall, replacing one of the same name. Another wall with its keyboard key loses the key. Raises `too_many_walls`,
   * `unavailable`.
   */
  save(wall: Wall): void {
    const store = this.#storeOrThrow();
    const others = this.#all().filter(({ name }) => name !== wall.name);
    if (others.length >= WALLS_MAX)
      throw new AirdeskError('too_many_walls', `There are ${WALLS_MAX} walls, the maximum. Remove one first`, {
        parameter: 'name',
      });
    const withoutKey = others
      .filter(({ key }) => key !== null && key === wall.key)
      .map((one) => ({ ...one, key: null }));
    store.put(new Map([...withoutKey, wall].map((one) => [one.name, JSON.stringify(one)])));
  }

  /** Switches windows to a wall. Raises `not_found`. @param window name of the windows; all without it */
  recall(caller: Pick<Caller, 'prefixes'>, name: string, window?: string): void {
    if (!this.list(caller).some((wall) => wall.name === name))
      throw new AirdeskError('not_found', `There is no wall ${name.slice(0, 60)}`);
    this.labels.recall(name, window);
  }

  /** Removes a wall, if there is one. Raises `unavailable`. */
  remove(name: string): void {
    this.#storeOrThrow().remove(name);
  }

  #storeOrThrow(): WallStore {
    if (this.#store) return this.#store;
    throw new AirdeskError('unavailable', 'Walls cannot be stored, because the database cannot be opened');
  }

  #all(): Wall[] {
    // Walls that this version cannot read stay unchanged.
    return (this.#store?.all() ?? []).flatMap((text) => {
      const wall = wallSchema.safeParse(JSON.parse(text));
      return wall.success ? [wall.data] : [];
    });
  }
}
