import { contentKey } from '../catalog/block-ranges.ts';
import type { TimeRange } from '../catalog/catalog-store.ts';
import type { BlockPosition } from './block-transfer.ts';

/**
 * Mode of a disk in a storage. `normal`: blocks are written. `keep`, `readonly`: blocks are only played. `migrate`:
 * all blocks move to other disks. `rescue`: all blocks are copied and also stay. `abandon`: blocks no longer count.
 */
export type DiskMode = 'normal' | 'keep' | 'readonly' | 'migrate' | 'rescue' | 'abandon';

/** Disk of a storage. */
interface StorageDisk {
  readonly folder: string;
  readonly mode: DiskMode;
}

/** Storage with the settings for copies. */
export interface CopiedStorage {
  readonly name: string;
  readonly disks: readonly StorageDisk[];
  /** Number of copies of each block besides the block itself; default 0. */
  readonly copies?: number;
  /** Maximum use of a disk in percent; default 100. */
  readonly maxUsedPercent?: number;
  /** Whether each disk has to be a mount point; default false. */
  readonly mustBeMounted?: boolean;
}

/** Block in the catalog, with the size that distinguishes its copies from other blocks of the same time. */
export interface LocatedBlock extends BlockPosition, TimeRange {
  readonly sizeBytes: number;
}

/** Work to do for a block. */
export interface BlockPlan {
  /** Sources to read from, best first. */
  readonly sources: readonly LocatedBlock[];
  /** Number of copies to be made, each on another disk; 0 if no disk has the block. */
  readonly missing: number;
  /** Folders of the disks that already have the block. */
  readonly taken: ReadonlySet<string>;
  /** Positions from which the block is removed after the copies are made. */
  readonly moved: readonly LocatedBlock[];
  /** Positions at which the block no longer counts. */
  readonly forgotten: readonly LocatedBlock[];
}

/** Whether blocks of a storage may ever have to be copied, moved or forgotten. */
export function isCopied({ copies = 0, disks }: CopiedStorage): boolean {
  return copies > 0 || disks.some(({ mode }) => mode === 'migrate' || mode === 'rescue' || mode === 'abandon');
}

/** Groups blocks with their copies, in order of appearance. */
export function groupCopies<Block extends TimeRange & { readonly sizeBytes: number }>(
  blocks: readonly Block[],
): readonly (readonly Block[])[] {
  const groups = new Map<string, Block[]>();
  for (const block of blocks) {
    const key = contentKey(block);
    const group = groups.get(key);
    if (group) group.push(block);
    else groups.set(key, [block]);
  }
  return [...groups.values()];
}

/** Modes whose blocks stay and count as copies. */
const STAYING: ReadonlySet<DiskMode> = new Set(['normal', 'keep', 'readonly']);
const ORDER: readonly DiskMode[] = ['normal', 'keep', 'readonly', 'migrate', 'rescue'];

/**
 * Plans the work for a block.
 *
 * @param group the block and all its copies
 * @param isThere whether the disk of a copy has the file
 */
export function planBlock(
  { copies = 0, disks }: CopiedStorage,
  group: readonly LocatedBlock[],
  isThere: (copy: LocatedBlock) => boolean,
): BlockPlan {
  const modes = new Map(disks.map(({ folder, mode }) => [folder, mode]));
  const inStorage = group.filter(({ disk }) => modes.has(disk));
  const modeOf = ({ disk }: LocatedBlock): DiskMode => modes.get(disk) ?? 'keep';
  const forgotten = inStorage.filter((copy) => modeOf(copy) === 'abandon');
  const present = inStorage.filter((copy) => modeOf(copy) !== 'abandon' && isThere(copy));
  const staying = present.filter((copy) => STAYING.has(modeOf(copy)));
  const isLeaving = present.length > staying.length;
  // Without configured copies, only blocks on disks that are taken out of use are copied.
  const targetCount = copies > 0 || isLeaving ? 1 + copies : 0;
  return {
    sources: present.toSorted((a, b) => ORDER.indexOf(modeOf(a)) - ORDER.indexOf(modeOf(b))),
    missing: present.length === 0 ? 0 : Math.max(0, targetCount - staying.length),
    taken: new Set(present.map(({ disk }) => disk)),
    moved: present.filter((copy) => modeOf(copy) === 'migrate'),
    forgotten,
  };
}
