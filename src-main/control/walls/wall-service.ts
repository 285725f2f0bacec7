import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import {
  WALLS_MAX,
  wallSchema,
  type ListedWall,
  type Wall,
  type WallTile,
} from '../../../src-preload/contract/operations/wall-calls.ts';
import type { WallRepository } from '../../db/wall-repository.ts';
import type { Caller } from '../../operators/caller.ts';
import { isInScope, requireInScope } from '../../operators/require.ts';
import { TileLabels } from './tile-labels.ts';

/** Persistent store of walls, as texts by name. */
type WallStore = Pick<WallRepository, 'all' | 'put' | 'remove'>;

/** Stream or group that a cell shows; undefined if it shows neither. */
function streamsOf(tile: WallTile): string | undefined {
  if (tile.kind === 'group') return tile.prefix;
  return 'stream' in tile ? tile.stream : undefined;
}

function namesOf({ streams, cells }: Wall): string[] {
  return [...streams, ...cells.flatMap(({ tile }) => streamsOf(tile) ?? [])];
}

/** Whether a wall belongs to a caller: for a caller that is limited to some streams, if it shows some of them and no others. */
function isOwn(caller: Pick<Caller, 'prefixes'>, wall: Wall): boolean {
  const names = namesOf(wall);
  return caller.prefixes === undefined || (names.length > 0 && names.every((name) => isInScope(caller, name)));
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
  list(caller: Pick<Caller, 'prefixes'>): ListedWall[] {
    const walls = this.#all();
    if (caller.prefixes === undefined) return walls;
    return walls.flatMap((wall) => {
      const streams = wall.streams.filter((name) => isInScope(caller, name));
      const cells = wall.cells.filter(({ tile }) => isInScope(caller, streamsOf(tile) ?? caller.prefixes?.[0] ?? ''));
      const isSeen = streams.length > 0 || cells.some(({ tile }) => streamsOf(tile) !== undefined);
      return isSeen ? [{ ...wall, streams, cells, ...(isOwn(caller, wall) ? {} : { is_partial: true as const }) }] : [];
    });
  }

  /**
   * Saves a wall, replacing one of the same name. Another wall with its keyboard key loses the key; a wall with streams outside
   * the caller's scope keeps it. Raises `forbidden`, `too_many_walls`, `unavailable`.
   */
  save(caller: Caller, given: Wall): void {
    const store = this.#storeOrThrow();
    for (const name of namesOf(given)) requireInScope(caller, name);
    this.#requireOwn(caller, given.name);
    const others = this.#all().filter(({ name }) => name !== given.name);
    const isKeyTaken = others.some((one) => one.key === given.key && !isOwn(caller, one));
    const wall = isKeyTaken ? { ...given, key: null } : given;
    if (others.length >= WALLS_MAX)
      throw new AirdeskError('too_many_walls', `There are ${WALLS_MAX} walls, the maximum. Remove one first`, {
        parameter: 'name',
      });
    const withoutKey = others
      .filter(({ key }) => key !== null && key === wall.key)
      .map((one) => ({ ...one, key: null }));
    store.put(new Map([...withoutKey, wall].map((one) => [one.name, JSON.stringify(one)])));
  }

  /**
   * Switches windows to a wall, if their login sees it. A person who is limited to some streams does not switch windows of
   * logins without a limit. Raises `not_found`.
   *
   * @param window name of the windows; all without it
   */
  recall(caller: Pick<Caller, 'prefixes' | 'role'>, name: string, window?: string): void {
    const isSeenBy = (one: Pick<Caller, 'prefixes'>): boolean => this.list(one).some((wall) => wall.name === name);
    if (!isSeenBy(caller)) throw new AirdeskError('not_found', `There is no wall ${name.slice(0, 60)}`);
    const isLimitedPerson = caller.role !== undefined && caller.prefixes !== undefined;
    this.labels.recall(name, window, (one) => !(isLimitedPerson && one.prefixes === undefined) && isSeenBy(one));
  }

  /** Removes a wall, if there is one. Raises `forbidden` and `unavailable`. */
  remove(caller: Caller, name: string): void {
    const store = this.#storeOrThrow();
    this.#requireOwn(caller, name);
    store.remove(name);
  }

  /** Raises `forbidden` if a wall exists that shows streams outside the caller's scope. */
  #requireOwn(caller: Caller, name: string): void {
    const wall = this.#all().find((one) => one.name === name);
    if (wall && !isOwn(caller, wall))
      throw new AirdeskError('forbidden', 'A wall of this name shows other streams. Choose another name');
  }

  #storeOrThrow(): WallStore {
    if (this.#store) return this.#store;
    throw new AirdeskError('unavailable', 'Walls cannot be stored, because the database cannot be opened');
  }

  #all(): Wall[] {
    // Stored walls that this version cannot read are left out and stay unchanged.
    return (this.#store?.all() ?? []).flatMap((text) => {
      const wall = wallSchema.safeParse(JSON.parse(text));
      return wall.success ? [wall.data] : [];
    });
  }
}
