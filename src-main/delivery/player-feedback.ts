import type { IncomingMessage, ServerResponse } from 'node:http';
import { plainAddress } from '../lib/network-address.ts';
import type { Session } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { viewerTokenOf } from '../sessions/token.ts';
import type { ClientAddress } from './exchange.ts';
import { PREFLIGHT } from './headers.ts';
import { readTrackIds } from './media-address.ts';
import { errorReply, type MediaErrorCode } from './media-error.ts';

export interface PlayerFeedbackOptions {
  readonly sessions: Pick<Sessions, 'find' | 'of'>;
  readonly tokenName: () => string;
  readonly clientAddress: ClientAddress;
  /** Track ids of a stream or file that is playing; undefined if unknown. */
  readonly trackIds: (name: string) => readonly string[] | undefined;
  readonly now: () => number;
}

const ADDRESS = /^\/(.+)\/sessions\/([A-Za-z0-9-]{1,64})(\/request_tracks)?$/;
/** Placeholder for a session id: the session to which a media request of this client would belong. */
const OWN = 'self';
const PROTOCOLS = ['hls', 'dash', 'mpegts', 'mp4'] as const;
const MAX_BYTES = 4096;
/** Maximum position, in epoch milliseconds: the year 5138. */
const MAX_MS = 1e14;

interface Refusal {
  readonly code: MediaErrorCode;
  readonly detail: string;
}

/** Feedback of players about their sessions: playback state, and requested tracks. */
export class PlayerFeedback {
  readonly #options: PlayerFeedbackOptions;

  constructor(options: PlayerFeedbackOptions) {
    this.#options = options;
  }

  /** Handles a feedback request; returns false for other requests. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '/' } = request;
    if (method !== 'PUT' && method !== 'OPTIONS') return false;
    const [path = '', query = ''] = url.split('?', 2);
    const [, encodedName = '', id = '', subresource = ''] = ADDRESS.exec(path) ?? [];
    const name = decoded(encodedName);
    if (name === undefined || name === '') return false;
    if (method === 'OPTIONS') {
      send(response, 204, PREFLIGHT);
      return true;
    }
    const session = id === OWN ? this.#sessionOf(request, name, query) : this.#options.sessions.find(id);
    if (session?.name !== name) {
      // The body is ignored.
      request.resume();
      refuse(response, { code: 'session_not_found', detail: `${name} has no session ${id}` });
      return true;
    }
    void bodyOf(request).then((body) => {
      const refusal =
        body === undefined
          ? bad('The body must be JSON of at most 4 KiB')
          : subresource === ''
            ? this.#played(session, body)
            : this.#selectTracks(session, body);
      if (refusal) refuse(response, refusal);
      else send(response, 204, `${PREFLIGHT}X-Sid: ${session.id}\r\n`);
    });
    return true;
  }

  #sessionOf(request: IncomingMessage, name: string, query: string): Session | undefined {
    const { sessions, tokenName, clientAddress } = this.#options;
    const peer = clientAddress(request.socket.remoteAddress ?? '', (header) => request.headers[header]?.toString());
    const token = viewerTokenOf(query, tokenName());
    for (const isOfArchive of [false, true])
      for (const proto of PROTOCOLS) {
        const session = sessions.of(name, plainAddress(peer), token, proto, isOfArchive);
        if (session) return session;
      }
    return undefined;
  }

  /** Stores the playback state: `current_time` in milliseconds, and `status`. */
  #played(session: Session, body: unknown): Refusal | undefined {
    if (typeof body !== 'object' || body === null) return bad('The body must be an object');
    const { current_time: atMs, status } = body as { readonly current_time?: unknown; readonly status?: unknown };
    if (atMs !== undefined && !(typeof atMs === 'number' && atMs >= 0 && atMs < MAX_MS))
      return bad('current_time must be a number of milliseconds');
    if (status !== undefined && status !== 'running' && status !== 'stalling')
      return bad('status must be running or stalling');
    if (atMs !== undefined) session.playedMs = Math.round(atMs);
    if (status !== undefined) session.isStalling = status === 'stalling';
    session.lastMs = this.#options.now();
    return undefined;
  }

  /** Stores the tracks for the session's next playlist, manifest or file; an empty list for all. */
  #selectTracks(session: Session, body: unknown): Refusal | undefined {
    const { tracks } = (body ?? {}) as { readonly tracks?: unknown };
    const text = Array.isArray(tracks) ? tracks.join('') : tracks;
    const ids = text === '' ? [] : typeof text === 'string' ? readTrackIds(text) : undefined;
    if (!ids) return bad('tracks must be ids of tracks, such as ["v1", "a1"]');
    const trackIds = this.#options.trackIds(session.name);
    const missing = trackIds && ids.find((id) => !trackIds.includes(id));
    if (missing !== undefined) return { code: 'track_not_found', detail: `${session.name} has no track ${missing}` };
    session.tracks = ids.length === 0 ? undefined : [...new Set(ids)];
    return undefined;
  }
}

function bad(detail: string): Refusal {
  return { code: 'bad_request', detail };
}

function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

/** Parsed JSON body, an empty object without a body; undefined if it is too long, invalid or incomplete. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Without an encoding a request yields buffers.
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) return undefined;
      chunks.push(chunk);
    }
    return bytes === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as unknown);
  } catch {
    return undefined;
  }
}

function refuse(response: ServerResponse, { code, detail }: Refusal): void {
  const { status, headers, body } = errorReply(code, detail);
  send(response, status, headers, Buffer.concat(body));
}

function send(response: ServerResponse, status: number, lines: string, body?: Buffer): void {
  if (response.destroyed) return;
  for (const line of lines.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) response.setHeader(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  response.writeHead(status).end(body);
}
