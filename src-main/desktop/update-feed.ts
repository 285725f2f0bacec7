/** Source of updates of an installation. */
export type UpdateFeed =
  | { readonly kind: 'none' }
  /** Set by the maker of the installer, in `app-update.yml` of the application. */
  | { readonly kind: 'built-in' }
  | { readonly kind: 'address'; readonly url: string }
  /** Invalid setting, with the reason. */
  | { readonly kind: 'wrong'; readonly message: string };

/**
 * Chooses the feed: `AIRDESK_UPDATES`, or else that of the maker of the installer. `off` disables both.
 * @param named `AIRDESK_UPDATES` of the environment
 * @param maker text of the application's `app-update.yml`; undefined without one
 */
export function updateFeed(
  named: string | undefined,
  maker: string | undefined,
  platform: NodeJS.Platform,
): UpdateFeed {
  if (named === 'off' || (maker === undefined && (named === undefined || named === ''))) return { kind: 'none' };
  // Without a publisher name, electron-updater on Windows installs anything from the feed, signed or not.
  if (platform === 'win32' && !/^publisherName:(?:[ \t]+|\s*\n\s+-[ \t]+)[^\s]/m.test(maker ?? ''))
    return {
      kind: 'wrong',
      message: 'Updates are off: this installation names no publisher to check their signature against',
    };
  if (named === undefined || named === '') return { kind: 'built-in' };
  const url = URL.parse(named);
  // Downloads are executed, so the list that describes them must not be changed on the way.
  if (url?.protocol !== 'https:') {
    return { kind: 'wrong', message: 'AIRDESK_UPDATES must be an address that starts with https://, or off' };
  }
  return { kind: 'address', url: url.href };
}
