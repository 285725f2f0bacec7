/** Scheme of the addresses of the desk in the window. It serves only files of the build and the status page. */
export const DESK_SCHEME = 'airdesk';

/** Address of the desk in the window. */
export const DESK_URL = `${DESK_SCHEME}://desk/index.html`;

/** Frame that sent a message: the properties that are checked. */
export interface SenderFrame {
  readonly url: string;
  /** Parent frame; null for the main frame of the window. */
  readonly parent: object | null;
}

/** Reports whether two addresses have the same scheme, host and port, including custom schemes. */
export function hasSameOrigin(a: string, b: string): boolean {
  if (!URL.canParse(a) || !URL.canParse(b)) return false;
  const [first, second] = [new URL(a), new URL(b)];
  return first.protocol === second.protocol && first.host === second.host && first.host !== '';
}

/**
 * Reports whether a message comes from the page of the desk, and not from a frame inside it or from another address.
 */
export function isDeskFrame(frame: SenderFrame | null, deskUrl: string): boolean {
  return frame !== null && frame.parent === null && hasSameOrigin(frame.url, deskUrl);
}
