import type { ArchiveContext } from './archive-context.ts';
import { provideExports } from './export/use-shared-exports.ts';
import { useArchiveAddress } from './use-archive-address.ts';
import { provideArchive } from './use-archive-context.ts';
import { useArchiveFeed, type ArchiveFeed } from './use-archive-feed.ts';

/** What the archive page works with. */
export interface ArchivePageParts extends ArchiveFeed {
  readonly context: ArchiveContext;
  /** Which moment the address wants. */
  readonly wanted: ReturnType<typeof useArchiveAddress>;
}

/** Opens the archive page: what its parts share, its address, and what the server says of it, for as long as the component lives. */
export function useArchivePage(): ArchivePageParts {
  const context = provideArchive();
  provideExports();
  return { context, wanted: useArchiveAddress(context), ...useArchiveFeed(context) };
}
