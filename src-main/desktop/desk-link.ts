import { DESK_SCHEME } from './ipc/desk-origin.ts';

/** Host of the desk page in its own scheme; every other host in a link is the name of a module. */
const PAGE_HOST = 'desk';
const MODULE = /^[a-z]{1,40}$/;
const MAX_CHARACTERS = 2_000;

/**
 * Parses a link of the system (`airdesk://archive?stream=cam`, or the address of a page of the desk) into the part
 * after `#` of the desk's address. Undefined for any other link. Links only open pages.
 */
export function placeOfLink(link: string): string | undefined {
  if (link.length > MAX_CHARACTERS || !URL.canParse(link)) return undefined;
  const { protocol, host, search, hash } = new URL(link);
  if (protocol !== `${DESK_SCHEME}:`) return undefined;
  if (host === PAGE_HOST) return hash.startsWith('#/') ? hash.slice(1) : '/';
  return MODULE.test(host) ? `/${host}${search}` : undefined;
}

/** Parses the first link among the arguments of a start. */
export function placeOfArguments(args: readonly string[]): string | undefined {
  for (const argument of args) {
    const place = placeOfLink(argument);
    if (place !== undefined) return place;
  }
  return undefined;
}
