/** Scheme under which the window loads the desk: files of the build, and nothing else. */
export const DESK_SCHEME = 'airdesk';

/** Address of the desk in the window. */
export const DESK_URL = `${DESK_SCHEME}://desk/index.html`;

/** A frame that sends over the bridge, as far as its check needs it. */
export interface SenderFrame {
  readonly url: string;
  /** The frame around it; null for the page of the window itself. */
  readonly parent: object | null;
}

/** Whether two addresses have the same scheme, host and port, custom schemes too. */
export function hasSameOrigin(a: string, b: string): boolean {
  if (!URL.canParse(a) || !URL.canParse(b)) return false;
  const [first, second] = [new URL(a), new URL(b)];
  return first.protocol === second.protocol && first.host === second.host && first.host !== '';
}

/** Whether a message comes from the page of the desk itself: not from a frame inside it, nor from another address. */
export function isDeskFrame(frame: SenderFrame | null, deskUrl: string): boolean {
  return frame !== null && frame.parent === null && hasSameOrigin(frame.url, deskUrl);
}
