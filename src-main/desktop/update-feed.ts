/** Where an installation looks for updates. */
export type UpdateFeed =
  | { readonly kind: 'none' }
  /** Named by the maker of the installer, in `app-update.yml` of the application. */
  | { readonly kind: 'built-in' }
  | { readonly kind: 'address'; readonly url: string }
  /** What was named is no feed; the message says why. */
  | { readonly kind: 'wrong'; readonly message: string };

/**
 * Chooses the feed: `AIRDESK_UPDATES`, or else that of the maker of the installer. `off` switches both off.
 *
 * @param named `AIRDESK_UPDATES` of the environment
 * @param maker text of the `app-update.yml` that the application brings; undefined without one
 */
export function updateFeed(
  named: string | undefined,
  maker: string | undefined,
  platform: NodeJS.Platform,
): UpdateFeed {
  if (named === 'off' || (maker === undefined && (named === undefined || named === ''))) return { kind: 'none' };
  // Without the name of a publisher electron-updater installs on Windows whatever the feed has, signed or not.
  if (platform === 'win32' && !/^publisherName:(?:[ \t]+|\s*\n\s+-[ \t]+)[^\s]/m.test(maker ?? ''))
    return {
      kind: 'wrong',
      message: 'Updates are off: this installation names no publisher to check their signature against',
    };
  if (named === undefined || named === '') return { kind: 'built-in' };
  const url = URL.parse(named);
  // What is downloaded is run: the list that says what it is must not be changed on the way.
  if (url?.protocol !== 'https:') {
    return { kind: 'wrong', message: 'AIRDESK_UPDATES must be an address that starts with https://, or off' };
  }
  return { kind: 'address', url: url.href };
}
