import { DESK_SCHEME } from './ipc/desk-origin.ts';

/** Where the page of the desk is in its own scheme; every other host of a link is the name of a module. */
const PAGE_HOST = 'desk';
const MODULE = /^[a-z]{1,40}$/;
const MOST_CHARACTERS = 2_000;

/**
 * The place in the desk that a link of the system leads to (`airdesk://archive?stream=cam`, or the address of a page of the desk), as the part of its
 * address behind `#`. Undefined for what is no such link. It opens a page and does nothing else there.
 */
export function placeOfLink(link: string): string | undefined {
  if (link.length > MOST_CHARACTERS || !URL.canParse(link)) return undefined;
  const { protocol, host, search, hash } = new URL(link);
  if (protocol !== `${DESK_SCHEME}:`) return undefined;
  if (host === PAGE_HOST) return hash.startsWith('#/') ? hash.slice(1) : '/';
  return MODULE.test(host) ? `/${host}${search}` : undefined;
}

/** The place of the first link among the arguments of a start. */
export function placeOfArguments(args: readonly string[]): string | undefined {
  for (const argument of args) {
    const place = placeOfLink(argument);
    if (place !== undefined) return place;
  }
  return undefined;
}
