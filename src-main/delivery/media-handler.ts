import { takesGzip } from '../lib/http-semantics.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { withToken } from '../sessions/token.ts';
import { renderMpd } from '../packaging/dash/mpd.ts';
import { renderMediaPlaylist, targetDuration } from '../packaging/hls/media-playlist.ts';
import { renderMultivariant } from '../packaging/hls/multivariant-playlist.ts';
import { renderTsPlaylist } from '../packaging/hls/ts-playlist.ts';
import type { Exchange, Reply } from './exchange.ts';
import { isTagNamed } from './entity-tag.ts';
import { CORS, MEDIA_TYPES, PREFLIGHT } from './headers.ts';
import { isReached, isTooFarAhead, readDirectives } from './hls-directives.ts';
import { readMediaAddress, type MediaAddress, type MediaResource } from './media-address.ts';
import { errorReply } from './media-error.ts';
import { replyWithInit, replyWithPart, replyWithSegment, replyWithTsSegment } from './segment-reply.ts';
import { carriesToken, inPlaylist, inXml, markAddresses, OWN_QUERY } from './own-addresses.ts';
import { pageReply, textReply, type EmbedPage } from './text-reply.ts';
import type { StreamOutput } from './stream-output.ts';
import type { TsOutputs } from './ts-output.ts';
import { SessionGate } from './session-gate.ts';

/** What delivery asks the rest of the server for. */
export interface DeliveryPort {
  /** Whether a stream of this name is configured or published, playing or not. */
  isKnown(stream: string): boolean;
  /** A viewer wants a stream that gives nothing: opens one that runs for viewers only. Returns whether it is worth waiting for. */
  demand(stream: string): boolean;
  /** Body of `media_info.json` or `info.json`; undefined for an unknown stream. */
  describe(stream: string, kind: 'media-info' | 'info'): string | undefined;
  /** A JPEG of the last key frame; undefined where there is none. */
  picture(stream: string): Promise<Uint8Array | undefined>;
  /** The embeddable player page of a stream. */
  embedPage(stream: string): EmbedPage;
}

/** What the handler works with. */
export interface MediaHandlerOptions {
  readonly outputs: ReadonlyMap<string, StreamOutput>;
  readonly port: DeliveryPort;
  readonly tsOutputs: TsOutputs;
  readonly now: () => number;
  readonly sessions: Sessions;
  /** Name of the query parameter with the token of a viewer. */
  readonly tokenName: () => string;
  /** Whether a `Host` header names this server; without it every name does. */
  readonly isOwnHost?: (host: string) => boolean;
}

const HLS_HEADERS = `Content-Type: ${MEDIA_TYPES.hls}\r\nVary: Accept-Encoding\r\n${CORS}`;
const DASH_HEADERS = `Content-Type: ${MEDIA_TYPES.dash}\r\nVary: Accept-Encoding\r\n${CORS}`;

/** Requests that start a stream which runs for viewers only. */
const START_KINDS: ReadonlySet<MediaResource['kind']> = new Set([
  'multivariant',
  'media-playlist',
  'ts-playlist',
  'mpd',
  'mpegts',
]);
/** Requests that a player makes once, before it follows the stream. */
const OPENING_KINDS: ReadonlySet<MediaResource['kind']> = new Set(['multivariant', 'ts-playlist', 'mpd']);
/** How long the first viewer waits for the first segment of such a stream, in milliseconds. */
const START_WAIT_MS = 10_000;

/** Answers media addresses from the windows of the streams. */
export class MediaHandler {
  readonly #options: MediaHandlerOptions;
  readonly #gate: SessionGate;

  constructor(options: MediaHandlerOptions) {
    this.#options = options;
    const { sessions, now, tokenName, isOwnHost } = options;
    this.#gate = new SessionGate({
      sessions,
      now,
      tokenName,
      ...(isOwnHost ? { isOwnHost } : {}),
      resume: (exchange, address) => {
        this.handle(exchange, address);
      },
    });
  }

  /** Reads an address; undefined when it is not one of media, so that another handler may know it. */
  address(path: string): MediaAddress | undefined {
    const address = readMediaAddress(path);
    // The name of a stream may end like a track: the stream that exists wins.
    if (address?.resource.kind !== 'media-playlist' || this.#options.port.isKnown(address.stream)) return address;
    const longer = `${address.stream}/${address.resource.trackId}`;
    return this.#options.port.isKnown(longer) ? { stream: longer, resource: { kind: 'multivariant' } } : address;
  }

  /** Answers one request for a media address. */
  handle(exchange: Exchange, address: MediaAddress): void {
    if (exchange.method === 'OPTIONS') {
      exchange.reply({ status: 204, headers: PREFLIGHT, body: [], bodyBytes: 0 });
      return;
    }
    if (exchange.method !== 'GET' && exchange.method !== 'HEAD') {
      exchange.reply(errorReply('method_not_allowed', 'This address takes GET and HEAD'));
      return;
    }
    // A request that waited for a decision comes back here with it.
    const output = this.#options.outputs.get(address.stream);
    if (this.#gate.pass(exchange, address, output)) this.#handleViewer(exchange, address, output);
  }

  #handleViewer(exchange: Exchange, { stream, resource }: MediaAddress, output: StreamOutput | undefined): void {
    if (this.#handleWithoutWindow(exchange, stream, resource)) return;
    if (!output) {
      const isKnown = this.#options.port.isKnown(stream);
      exchange.reply(
        isKnown
          ? errorReply('stream_not_running', `${stream} has nothing to play yet`)
          : errorReply('stream_not_found', `There is no stream ${stream}`),
      );
      return;
    }
    output.seen(this.#options.now());
    const { isIdle } = output.window;
    const isDemanded = isIdle && START_KINDS.has(resource.kind) && this.#options.port.demand(stream);
    // Players read these once and give up where nothing can be played yet; a moment later something can.
    const isOpening = !isIdle && OPENING_KINDS.has(resource.kind);
    if (isDemanded || isOpening) this.#handleStart(exchange, output, resource);
    else this.#handleWindow(exchange, output, resource);
  }

  /** Waits for the first segment of a stream that has just started. */
  #handleStart(exchange: Exchange, output: StreamOutput, resource: MediaResource): void {
    // An endless reply waits by itself.
    if (resource.kind === 'mpegts' || hasSegment(output)) {
      this.#handleWindow(exchange, output, resource);
      return;
    }
    const giveUp = output.wait(
      () => hasSegment(output),
      this.#options.now() + START_WAIT_MS,
      (isInTime) => {
        if (isInTime) this.#handleWindow(exchange, output, resource);
        else
          exchange.reply(errorReply('blocking_timeout', `${output.name} gave no segment in ${START_WAIT_MS / 1000} s`));
      },
    );
    exchange.onClose(giveUp);
  }

  #handleWithoutWindow(exchange: Exchange, stream: string, resource: MediaResource): boolean {
    const { port } = this.#options;
    switch (resource.kind) {
      case 'embed':
        exchange.reply(
          port.isKnown(stream)
            ? pageReply(port.embedPage(stream))
            : errorReply('stream_not_found', `There is no stream ${stream}`),
        );
        return true;
      case 'media-info':
      case 'info': {
        const body = port.describe(stream, resource.kind);
        exchange.reply(
          body === undefined
            ? errorReply('stream_not_found', `There is no stream ${stream}`)
            : textReply(body, MEDIA_TYPES.json, 1),
        );
        return true;
      }
      case 'preview':
        void this.#replyWithPicture(exchange, stream);
        return true;
      default:
        return false;
    }
  }

  #handleWindow(exchange: Exchange, output: StreamOutput, resource: MediaResource): void {
    switch (resource.kind) {
      case 'multivariant': {
        const render = (query: string): string | undefined => renderMultivariant(output.window, query);
        this.#send(
          exchange,
          output,
          carriesToken(exchange)
            ? this.#own(output, 'multivariant', HLS_HEADERS, inPlaylist(exchange.query), () => render(OWN_QUERY))
            : this.#rendered(
                exchange,
                output,
                `multivariant ${exchange.query}`,
                `${HLS_HEADERS}Cache-Control: max-age=1\r\n`,
                () => render(exchange.query),
              ),
        );
        return;
      }
      case 'media-playlist':
        this.#mediaPlaylist(exchange, output, resource.trackId);
        return;
      case 'ts-playlist': {
        this.#sendPlaylist(exchange, output, 'ts', 1, () => renderTsPlaylist(output.window));
        return;
      }
      case 'mpd': {
        const nowMs = this.#options.now();
        const render = (query: string): string | undefined =>
          renderMpd(output.window, { nowMs, timeAddress: timeAddress(output.name), query });
        this.#send(
          exchange,
          output,
          carriesToken(exchange)
            ? this.#own(output, 'mpd', DASH_HEADERS, inXml(exchange.query), () => render(OWN_QUERY))
            : this.#rendered(
                exchange,
                output,
                `mpd ${exchange.query}`,
                `${DASH_HEADERS}Cache-Control: max-age=1\r\n`,
                () => render(exchange.query),
              ),
        );
        return;
      }
      case 'mpegts':
        this.#options.tsOutputs.join(exchange, output);
        return;
      case 'init':
        replyWithInit(exchange, output, resource.trackId, resource.initId);
        return;
      case 'segment':
        replyWithSegment(exchange, output, resource.trackId, resource.startMs);
        return;
      case 'part':
        replyWithPart(exchange, output, resource.trackId, resource.startMs, resource.index, this.#options.now());
        return;
      case 'ts-segment':
        replyWithTsSegment(exchange, output, resource.startMs);
        return;
      default:
        exchange.reply(errorReply('not_found', 'Nothing is found at this address'));
    }
  }

  #mediaPlaylist(exchange: Exchange, output: StreamOutput, trackId: string): void {
    const directives = readDirectives(exchange.query);
    const track = output.window.tracks.find((candidate) => candidate.track.id === trackId);
    if (!directives) {
      exchange.reply(
        errorReply('bad_delivery_directive', '_HLS_msn and _HLS_part are whole numbers; _HLS_part needs _HLS_msn'),
      );
      return;
    }
    if (!track) {
      exchange.reply(errorReply('track_not_found', `${output.name} has no track ${trackId}`));
      return;
    }
    const { msn, part, isDelta } = directives;
    const maxAgeSeconds = msn === undefined ? 1 : targetDuration(output.window) * 6;
    const send = (): void => {
      const key = `${trackId}${isDelta ? ' delta' : ''}${msn === undefined ? '' : ' blocking'}`;
      this.#sendPlaylist(exchange, output, key, maxAgeSeconds, () =>
        renderMediaPlaylist(output.window, { trackId, isDelta }),
      );
    };
    if (msn === undefined || isReached(track, msn, part)) {
      send();
      return;
    }
    if (isTooFarAhead(track, output.window.partMs, msn, part)) {
      exchange.reply(
        errorReply(
          'bad_delivery_directive',
          `_HLS_msn=${msn} ${part === undefined ? '' : `&_HLS_part=${part}`} is too far ahead`,
        ),
      );
      return;
    }
    const isDone = (): boolean => {
      const current = output.window.tracks.find((candidate) => candidate.track.id === trackId);
      return current !== undefined && isReached(current, msn, part);
    };
    const deadlineMs = this.#options.now() + targetDuration(output.window) * 3000;
    const giveUp = output.wait(isDone, deadlineMs, (isInTime) => {
      if (isInTime) send();
      else exchange.reply(errorReply('blocking_timeout', `Segment ${msn} did not come in time`));
    });
    exchange.onClose(giveUp);
  }

  /** Sends a playlist of segments: the same to all, or with the token of the viewer behind each address. */
  #sendPlaylist(
    exchange: Exchange,
    output: StreamOutput,
    key: string,
    maxAgeSeconds: number,
    render: () => string | undefined,
  ): void {
    if (!carriesToken(exchange)) {
      this.#send(
        exchange,
        output,
        this.#rendered(exchange, output, key, `${HLS_HEADERS}Cache-Control: max-age=${maxAgeSeconds}\r\n`, render),
      );
      return;
    }
    const marked = (): string | undefined => {
      const text = render();
      return text === undefined ? undefined : markAddresses(text);
    };
    this.#send(
      exchange,
      output,
      this.#own(
        output,
        key,
        HLS_HEADERS,
        withToken('', this.#options.tokenName(), exchange.connectionSession.token),
        marked,
      ),
    );
  }

  /** A text with the viewer's own query in it: rendered once for all, put together for each. It is not packed, which would cost more than it saves. */
  #own(
    output: StreamOutput,
    key: string,
    headers: string,
    query: string,
    render: () => string | undefined,
  ): Reply | undefined {
    const made = output.pieces(key, OWN_QUERY, this.#options.now(), render);
    if (!made) return undefined;
    const body = Buffer.from(made.pieces.join(query));
    return {
      status: 200,
      headers: `${headers}Cache-Control: private, max-age=1\r\nETag: ${made.etag}\r\n`,
      body: [body],
      bodyBytes: body.length,
    };
  }

  #rendered(
    exchange: Exchange,
    output: StreamOutput,
    key: string,
    headers: string,
    render: () => string | undefined,
  ): Reply | undefined {
    const isGzip = takesGzip(exchange.header('accept-encoding'));
    return output.rendered(key, isGzip, this.#options.now(), headers, render);
  }

  #send(exchange: Exchange, output: StreamOutput, reply: Reply | undefined): void {
    if (!reply) {
      exchange.reply(errorReply('stream_not_running', `${output.name} has no complete segment yet`));
      return;
    }
    const wanted = exchange.header('if-none-match');
    if (wanted !== undefined && isTagNamed(wanted, /ETag: (\S+)/.exec(reply.headers)?.[1] ?? '')) {
      exchange.reply({ status: 304, headers: reply.headers, body: [], bodyBytes: 0 });
      return;
    }
    output.bytesOut += reply.bodyBytes;
    if (exchange.connectionSession.session) exchange.connectionSession.session.bytes += reply.bodyBytes;
    exchange.reply(reply);
  }

  async #replyWithPicture(exchange: Exchange, stream: string): Promise<void> {
    if (!this.#options.port.isKnown(stream)) {
      exchange.reply(errorReply('stream_not_found', `There is no stream ${stream}`));
      return;
    }
    let isGone = false;
    exchange.onClose(() => {
      isGone = true;
    });
    const picture = await this.#options.port.picture(stream).catch(() => undefined);
    if (isGone) return;
    if (!picture) {
      exchange.reply(errorReply('picture_not_available', `There is no picture of ${stream} at the moment`));
      return;
    }
    const headers = `Content-Type: ${MEDIA_TYPES.jpeg}\r\nCache-Control: max-age=1\r\n${CORS}`;
    exchange.reply({ status: 200, headers, body: [picture], bodyBytes: picture.length });
  }
}

/** Whether there is something to play: a complete segment of the track that leads. */
function hasSegment({ window }: StreamOutput): boolean {
  const begun = window.tracks.filter(({ segments }) => segments.some(({ parts }) => parts.length > 0));
  return (
    begun.length > 0 && begun.every(({ segments }) => segments.some(({ isComplete, isGap }) => isComplete && !isGap))
  );
}

/** Address of the clock (UTCTiming), as seen from the MPD of a stream. */
function timeAddress(stream: string): string {
  return `${'../'.repeat(stream.split('/').length)}-/time`;
}
