/** Source of updates of an installation. */
export type UpdateFeed =
  | { readonly kind: 'none' }
  /** Feed of the publisher of the installer, in `app-update.yml` of the application. */
  | { readonly kind: 'built-in' }
  | { readonly kind: 'address'; readonly url: string }
  /** Invalid setting, with the reason. */
  | { readonly kind: 'wrong'; readonly message: string };

/**
 * Chooses the feed of updates: the address in `AIRDESK_UPDATES`, or else the feed of the publisher of the installer.
 * `AIRDESK_UPDATES=off` disables updates.
 * @param setting value of `AIRDESK_UPDATES`
 * @param builtIn text of `app-update.yml` of the application; undefined if there is no such file
 */
export function updateFeed(
  setting: string | undefined,
  builtIn: string | undefined,
  platform: NodeJS.Platform,
): UpdateFeed {
  if (setting === 'off' || (builtIn === undefined && (setting === undefined || setting === '')))
    return { kind: 'none' };
  // Without a publisher name, electron-updater on Windows would install anything from the feed, signed or not.
  if (platform === 'win32' && !/^publisherName:(?:[ \t]+|\s*\n\s+-[ \t]+)[^\s]/m.test(builtIn ?? ''))
    return {
      kind: 'wrong',
      message: 'Updates are off: this installation has no publisher name, so signatures cannot be checked',
    };
  if (setting === undefined || setting === '') return { kind: 'built-in' };
  const url = URL.parse(setting);
  // Downloaded programs are executed, so TLS must protect the list of downloads.
  if (url?.protocol !== 'https:') {
    return { kind: 'wrong', message: 'AIRDESK_UPDATES must be an address that starts with https://, or off' };
  }
  return { kind: 'address', url: url.href };
}
