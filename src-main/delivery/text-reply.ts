import type { Reply } from './exchange.ts';
import { CORS, MEDIA_TYPES, NOSNIFF } from './headers.ts';

/** A page, and the Content-Security-Policy that it is sent with. */
export interface EmbedPage {
  readonly html: string;
  readonly policy: string;
}

/** The embeddable page. */
export function pageReply({ html, policy }: EmbedPage): Reply {
  const reply = textReply(html, MEDIA_TYPES.html, 60);
  return { ...reply, headers: `${reply.headers}Content-Security-Policy: ${policy}\r\n` };
}

/** A text that is made for each request. */
export function textReply(text: string, type: string, maxAgeSeconds: number): Reply {
  const body = Buffer.from(text);
  return {
    status: 200,
    headers: `Content-Type: ${type}\r\nCache-Control: max-age=${maxAgeSeconds}\r\n${NOSNIFF}${CORS}`,
    body: [body],
    bodyBytes: body.length,
  };
}
