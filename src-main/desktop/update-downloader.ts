import type { UpdateFeed } from './update-feed.ts';
import type { Updater } from './updates.ts';

/** Opens electron-updater for a feed. It verifies the SHA-512 of downloads; on Windows and macOS the signature, too. */
export async function openUpdater(feed: UpdateFeed): Promise<Updater> {
  // Loaded only if there is a feed, because it needs memory and start time.
  const { default: library } = await import('electron-updater');
  const { autoUpdater } = library;
  autoUpdater.autoDownload = false;
  autoUpdater.autoInstallOnAppQuit = true;
  autoUpdater.allowDowngrade = false;
  autoUpdater.logger = null;
  if (feed.kind === 'address') autoUpdater.setFeedURL({ provider: 'generic', url: feed.url });
  return {
    download: async () => {
      const update = await autoUpdater.checkForUpdates();
      if (!update?.isUpdateAvailable) return undefined;
      await autoUpdater.downloadUpdate();
      return update.updateInfo.version;
    },
  };
}
