import type { AnswersTo, MediaAnswer, WindowAnswer } from '../media-answer.ts';
import { mediaAnswers, type MediaAnswersOptions } from './media-answers.ts';
import type { StreamPort } from './stream-answers.ts';
import type { Exchange } from '../exchange.ts';
import { PREFLIGHT } from '../headers.ts';
import { readFileName, readMediaAddress, type MediaAddress, type MediaResource } from '../media-address.ts';
import { errorReply } from '../media-error.ts';
import {
  requestedTimeOf,
  recordedRequest,
  type Recorded,
  type RecordedRefusal,
  type RecordedRequest,
} from '../recorded.ts';
import { redirect, SessionGate, type SessionGateOptions } from '../session-gate.ts';
import { StartWaits } from '../start-waits.ts';
import type { StreamOutput } from '../stream-output.ts';
import { TrackOutputs } from '../track-outputs.ts';

/** Functions of the server that delivery needs. */
export interface DeliveryPort extends StreamPort {
  /** Opens an on-demand stream for a viewer; returns whether media can be expected. */
  demand(stream: string): boolean;
  /** Whether the first media is expected soon: an encoder has connected, or an input is being opened. */
  isStarting(stream: string): boolean;
  /** Whether the encoder of a stream has left permanently; its live window is then no longer shown. */
  hasEnded(stream: string): boolean;
}

export interface MediaHandlerOptions extends MediaAnswersOptions {
  /**
   * Output for a stream: the view of the session if there is one, the live window, or the archive. Called without a session, and
   * again with it.
   */
  readonly resolve: (
    stream: string,
    resource: MediaResource,
    session: Exchange['connectionSession']['session'],
  ) => StreamOutput | undefined;
  /** Source of recordings; default: none. */
  readonly recorded?: Recorded;
  readonly port: DeliveryPort;
  readonly now: () => number;
  readonly sessions: SessionGateOptions['sessions'];
  /** Reports whether a `Host` header names this server. Default: every name does. */
  readonly isOwnHost?: (host: string) => boolean;
}

/** Answers media addresses: finds the stream, passes the request through the gate, and calls the answer of its kind. */
export class MediaHandler {
  readonly #options: MediaHandlerOptions;
  readonly #gate: SessionGate;
  readonly #startWaits = new StartWaits();
  readonly #trackOutputs = new TrackOutputs();
  readonly #answers: AnswersTo<MediaResource['kind']>;

  constructor(options: MediaHandlerOptions) {
    this.#options = options;
    this.#answers = mediaAnswers(options);
    const { sessions, tokenName, isOwnHost } = options;
    this.#gate = new SessionGate({
      sessions,
      tokenName,
      ...(isOwnHost ? { isOwnHost } : {}),
      resume: (exchange, address) => {
        this.handle(exchange, address);
      },
    });
  }

  /** Parses an address; undefined if it is no media address, and another handler may answer it. */
  address(path: string): MediaAddress | undefined {
    const address = readMediaAddress(path);
    if (!address) return this.#download(path);
    // The name of a stream may look like the address of a track: an existing stream has priority.
    if (this.#options.port.isKnown(address.stream)) return address;
    const { stream, resource, tracks } = address;
    if (tracks) {
      const longer = `${stream}/tracks-${tracks.join('')}`;
      return this.#options.port.isKnown(longer) ? { stream: longer, resource } : address;
    }
    const folder = folderOf(resource);
    if (folder === undefined || !this.#options.port.isKnown(`${stream}/${folder}`)) return address;
    return { stream: `${stream}/${folder}`, resource: { kind: 'multivariant' } };
  }

  /** Address of an unchanged file of a location. */
  #download(path: string): MediaAddress | undefined {
    const { files } = this.#options;
    const name = files && readFileName(path);
    return name !== undefined && files?.covers(name) ? { stream: name, resource: { kind: 'download' } } : undefined;
  }

  /** Answers one request for a media address. */
  handle(exchange: Exchange, address: MediaAddress): void {
    if (exchange.method === 'OPTIONS') {
      exchange.reply({ status: 204, headers: PREFLIGHT, body: [], bodyBytes: 0 });
      return;
    }
    const { stream, resource } = address;
    const answer: MediaAnswer = this.#answers[resource.kind];
    if (exchange.method !== 'GET' && exchange.method !== 'HEAD') {
      // Unsupported forms answer any method: WebRTC players start with POST.
      if (resource.kind === 'unsupported-format' && answer.from === 'stream') answer.answer(exchange, stream, resource);
      else exchange.reply(errorReply('method_not_allowed', 'This address supports GET and HEAD'));
      return;
    }
    const { resolve, port, now } = this.#options;
    const nowMs = now();
    const { connectionSession } = exchange;
    const { session } = connectionSession;
    let output = resolve(stream, resource, session);
    // A request that waited for a decision returns here with its session.
    const recorded = recordedRequest(resource, exchange.query, output);
    const archive = requestedTimeOf(resource, exchange.query, recorded, nowMs);
    if (resource.kind === 'download' && this.#options.files?.mayDownload(stream) !== true) {
      exchange.reply(errorReply('download_not_allowed', `${stream} may not be downloaded as a file`));
      return;
    }
    if (!this.#gate.pass(exchange, address, answer, output, archive, nowMs)) return;
    if (connectionSession.session !== session) {
      output = resolve(stream, resource, connectionSession.session);
      // The viewer's own window may start later than the stream: then the archive has the segment, if the viewer may
      // watch it.
      if (!recorded && recordedRequest(resource, exchange.query, output)) {
        this.handle(exchange, address);
        return;
      }
    }
    if (!output && this.#options.files?.covers(stream)) {
      void this.#answerFromFile(exchange, address, answer);
      return;
    }
    if (answer.from === 'stream') answer.answer(exchange, stream, resource);
    else if (recorded && this.#options.recorded && port.isKnown(stream)) {
      const go = (): void => void this.#answerFromArchive(exchange, address, answer, recorded);
      // A span that continues the live stream needs the live stream. Without it, only the archive is available.
      if (output && recorded.kind === 'span' && recorded.span.kind === 'rewind')
        this.#answerFromWindow(exchange, output, answer, address, go);
      else go();
    } else if (output && !(answer.step === 'opening' && port.hasEnded(stream)))
      this.#answerFromWindow(exchange, output, answer, address, () => {
        this.#answer(exchange, output, answer, address);
      });
    else
      exchange.reply(
        port.isKnown(stream)
          ? errorReply('stream_not_running', `${stream} has nothing to play at the moment`)
          : errorReply('stream_not_found', `There is no stream ${stream}`),
      );
  }

  async #answerFromArchive(
    exchange: Exchange,
    address: MediaAddress,
    answer: WindowAnswer,
    request: RecordedRequest,
  ): Promise<void> {
    const { recorded } = this.#options;
    const { stream } = address;
    let isGone = false;
    exchange.onClose(() => {
      isGone = true;
    });
    const unreadable: RecordedRefusal = { code: 'media_unreadable', detail: `The archive of ${stream} cannot be read` };
    const found = await recorded?.(stream, request, exchange.connectionSession.session).catch(() => unreadable);
    if (isGone || !found) return;
    if ('code' in found) exchange.reply(errorReply(found.code, found.detail));
    else this.#answer(exchange, found, answer, address);
  }

  async #answerFromFile(exchange: Exchange, address: MediaAddress, answer: MediaAnswer): Promise<void> {
    const { files, now } = this.#options;
    const { stream, resource } = address;
    const gone = new AbortController();
    exchange.onClose(() => {
      gone.abort();
    });
    const found = await files?.open(stream, gone.signal, exchange.peer);
    if (gone.signal.aborted || !found) return;
    if ('code' in found) exchange.reply(errorReply(found.code, found.detail));
    else if (answer.from === 'stream') answer.answer(exchange, stream, resource);
    else {
      found.recordActivity(now());
      this.#answer(exchange, found, answer, address);
    }
  }

  /** Answers from a window, or from its requested tracks. */
  #answer(exchange: Exchange, output: StreamOutput, answer: WindowAnswer, address: MediaAddress): void {
    const shown = this.#trackOutputs.of(output, address, exchange.query, exchange.connectionSession.session);
    if (shown === 'bad')
      exchange.reply(errorReply('bad_request', 'filter.tracks must be ids of tracks without separators, such as v1a1'));
    else if (typeof shown === 'string')
      redirect(exchange, `${exchange.path.slice(exchange.path.lastIndexOf('/') + 1)}${shown}`);
    else if (shown) answer.answer(exchange, shown, address.resource, this.#options.now);
    else exchange.reply(errorReply('track_not_found', `${output.name} has none of these tracks`));
  }

  #answerFromWindow(
    exchange: Exchange,
    output: StreamOutput,
    answer: WindowAnswer,
    address: MediaAddress,
    go: () => void,
  ): void {
    const { now, port } = this.#options;
    const nowMs = now();
    output.recordActivity(nowMs);
    const { name, window } = output;
    const isOpened = window.isIdle && answer.step === 'opening' && port.demand(name);
    const isReady = (): boolean =>
      output.has(answer.needs) && (output.has('segment') || !isSegmentPlayer(exchange, answer));
    // Waits only if media can be expected, not for a stream without an input.
    const isComing = (): boolean => !window.isIdle || isOpened || port.isStarting(name);
    if (isReady() || !isComing()) {
      go();
      return;
    }
    const { session } = exchange.connectionSession;
    const reply = (): void => {
      // A session that has ended meanwhile is authorized again.
      if (session?.isRunning === false) this.handle(exchange, address);
      else go();
    };
    this.#startWaits.wait(exchange, output, { isOver: () => isReady() || !isComing(), nowMs, reply });
  }
}

/** `User-Agent` of players without support for parts and gaps: they never start with a playlist without segments. */
const SEGMENT_PLAYERS = /^VLC\//;

function isSegmentPlayer(exchange: Exchange, { proto, needs }: WindowAnswer): boolean {
  return proto === 'hls' && needs === 'part' && SEGMENT_PLAYERS.test(exchange.header('user-agent') ?? '');
}

/** Folder in the address of a media playlist or a subtitle playlist; undefined for other resources. */
function folderOf(resource: MediaResource | undefined): string | undefined {
  if (resource?.kind === 'media-playlist') return resource.trackId;
  return resource?.kind === 'subtitle-playlist' ? resource.id : undefined;
}
