import { DESK_SCHEME } from './ipc/desk-origin.ts';

/** Host of the desk page in the scheme `airdesk:`. Any other host in a link is the name of a module. */
const PAGE_HOST = 'desk';
const MODULE = /^[a-z]{1,40}$/;
const MAX_CHARACTERS = 2_000;

/**
 * Parses a link that the system passes on (`airdesk://archive?stream=cam`, or the address of a page of the desk).
 * Returns the page: the part after `#` in the address of the desk. Undefined for any other link. Links only open pages.
 */
export function pageOfLink(link: string): string | undefined {
  if (link.length > MAX_CHARACTERS || !URL.canParse(link)) return undefined;
  const { protocol, host, search, hash } = new URL(link);
  if (protocol !== `${DESK_SCHEME}:`) return undefined;
  if (host === PAGE_HOST) return hash.startsWith('#/') ? hash.slice(1) : '/';
  return MODULE.test(host) ? `/${host}${search}` : undefined;
}

/** Finds the first link in a command line, and returns its page. */
export function pageOfArguments(args: readonly string[]): string | undefined {
  for (const argument of args) {
    const page = pageOfLink(argument);
    if (page !== undefined) return page;
  }
  return undefined;
}
