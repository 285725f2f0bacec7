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
 * @param isBuiltIn whether the application brings an `app-update.yml`
 */
export function updateFeed(named: string | undefined, isBuiltIn: boolean): UpdateFeed {
  if (named === undefined || named === '') return { kind: isBuiltIn ? 'built-in' : 'none' };
  if (named === 'off') return { kind: 'none' };
  const url = URL.parse(named);
  // What is downloaded is run: the list that says what it is must not be changed on the way.
  if (url?.protocol !== 'https:') {
    return { kind: 'wrong', message: 'AIRDESK_UPDATES must be an address that starts with https://, or off' };
  }
  return { kind: 'address', url: url.href };
}
