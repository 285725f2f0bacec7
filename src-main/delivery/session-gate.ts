import { plainAddress } from '../lib/network-address.ts';
import type { Admission, ArrivalProtocol } from '../sessions/admission.ts';
import { isRestricted } from '../sessions/access-policy.ts';
import type { ArchiveTime, Session, SessionProtocol } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { viewerTokenOf, withToken } from '../sessions/token.ts';
import type { Exchange } from './exchange.ts';
import { CORS } from './headers.ts';
import type { MediaAnswer, WindowAnswer } from './media-answer.ts';
import type { MediaAddress } from './media-address.ts';
import { errorReply } from './media-error.ts';
import type { StreamOutput } from './stream-output.ts';

export interface SessionGateOptions {
  readonly sessions: Sessions;
  /** Name of the query parameter with the token. */
  readonly tokenName: () => string;
  /** Whether a `Host` header names this server; clients may send any name. Default: every name does. */
  readonly isOwnHost?: (host: string) => boolean;
  /** Resumes a request that waited for a decision. */
  readonly resume: (exchange: Exchange, address: MediaAddress) => void;
}

/** Limits of the maximum silence of a session, in milliseconds; between them it is three segments. */
const MIN_SILENT_MS = 30_000;
const MAX_SILENT_MS = 60_000;
const PATIENCE_SEGMENTS = 3;

const NO_STORE = `Cache-Control: no-store\r\n${CORS}`;

/**
 * Gate before all media: every request passes with a session, waits for one, or is refused. Only the desk passes without a
 * session.
 */
export class SessionGate {
  readonly #options: SessionGateOptions;

  constructor(options: SessionGateOptions) {
    this.#options = options;
  }

  /**
   * Passes a request, or handles it.
   * @param archive requested time of the archive; undefined for live
   * @param nowMs epoch milliseconds
   * @returns true if the request continues now; its session is in `exchange.connectionSession`
   */
  pass(
    exchange: Exchange,
    address: MediaAddress,
    answer: MediaAnswer,
    output: StreamOutput | undefined,
    archive: ArchiveTime | undefined,
    nowMs: number,
  ): boolean {
    const { stream } = address;
    const { connectionSession, peer } = exchange;
    const { proto } = answer;
    if (proto === undefined || (proto === 'api' && this.#options.sessions.isOpenToAll(stream))) {
      // The session of earlier requests does not apply to this one.
      connectionSession.session = undefined;
      connectionSession.isOfDesk = false;
      if (proto === undefined || !this.#isBanned(exchange, stream, nowMs)) return true;
      exchange.reply(errorReply('session_banned', 'The operator of this server has banned this address'));
      return false;
    }
    const given = viewerTokenOf(exchange.query, this.#options.tokenName());
    connectionSession.isOfDesk = this.#options.sessions.isOfDesk(given, stream);
    if (connectionSession.isOfDesk) {
      connectionSession.session = undefined;
      connectionSession.token = given;
      return true;
    }
    if (this.#options.sessions.deskTokens.isVoid(given)) {
      // The server has restarted since the desk connected. The desk must not become a viewer; it gets a new token
      // when it connects again.
      exchange.reply(errorReply('playback_denied', 'This viewing token of a desk is no longer valid'));
      return false;
    }
    if (this.#options.sessions.isOfOtherStreams(given, stream)) {
      exchange.reply(errorReply('playback_denied', 'The login of this desk is limited to other streams'));
      return false;
    }
    const token = this.#options.sessions.isReadOnlyDesk(given) ? '' : given;
    let { session } = connectionSession;
    if (
      !session?.isRunning ||
      connectionSession.stream !== stream ||
      connectionSession.token !== token ||
      connectionSession.peer !== peer ||
      !isPlayedBy(proto, session.proto) ||
      !mayPlayTime(session, proto, archive)
    ) {
      session = this.#options.sessions.of(stream, plainAddress(peer), token, proto, archive !== undefined);
      connectionSession.session = session;
      connectionSession.stream = stream;
      connectionSession.token = token;
      connectionSession.peer = peer;
      if (!session) return this.#admit(exchange, address, answer, proto, token, output, archive);
    }
    if (!this.#mayShare(session, exchange, answer))
      return this.#admit(exchange, address, answer, proto, token, output, archive);
    if (isStep(answer, 'opening')) session.archive = archive;
    session.lastMs = nowMs;
    session.requestCount++;
    return true;
  }

  /** Reports whether operators banned the viewer. The desk is not a viewer. */
  #isBanned(exchange: Exchange, stream: string, nowMs: number): boolean {
    const { sessions, tokenName } = this.#options;
    if (!sessions.bans.isAddressBanned(plainAddress(exchange.peer), nowMs)) return false;
    return !sessions.isOfDesk(viewerTokenOf(exchange.query, tokenName()), stream);
  }

  #mayShare(session: Session, exchange: Exchange, answer: MediaAnswer): boolean {
    if (session.policy.domains.length === 0) return true;
    const referer = exchange.header('referer') ?? '';
    // Segments need no check: their addresses come from a playlist, and some players send no `Referer` with them.
    if (referer === '' && isStep(answer, 'segment')) return true;
    return this.#options.sessions.mayShare(session, { referer, host: this.#hostOf(exchange) });
  }

  /** Requested host name, if it belongs to this server. */
  #hostOf(exchange: Exchange): string {
    const host = exchange.header('host') ?? '';
    return (this.#options.isOwnHost?.(host) ?? true) ? host : '';
  }

  #admit(
    exchange: Exchange,
    address: MediaAddress,
    answer: MediaAnswer,
    proto: ArrivalProtocol,
    token: string,
    output: StreamOutput | undefined,
    archive: ArchiveTime | undefined,
  ): boolean {
    const admission = this.#options.sessions.admit({
      name: address.stream,
      ip: plainAddress(exchange.peer),
      token,
      proto,
      userAgent: exchange.header('user-agent') ?? '',
      referer: exchange.header('referer') ?? '',
      host: this.#hostOf(exchange),
      queryString: exchange.query,
      isOpening: isStep(answer, 'opening'),
      archive,
      silentMs: Math.min(MAX_SILENT_MS, Math.max(MIN_SILENT_MS, PATIENCE_SEGMENTS * (output?.window.segmentMs ?? 0))),
    });
    switch (admission.kind) {
      case 'open':
        exchange.connectionSession.session = admission.session;
        if (admission.session) admission.session.requestCount++;
        return true;
      case 'wait':
        exchange.onClose(
          admission.session.whenDecided(() => {
            this.#options.resume(exchange, address);
          }),
        );
        return false;
      case 'token':
        redirect(
          exchange,
          `${fileOf(exchange.path)}?${withToken(exchange.query, this.#options.tokenName(), admission.token)}`,
        );
        return false;
      case 'refused':
        refuse(exchange, admission);
        return false;
    }
  }
}

/** Counts bytes sent to a viewer. */
export function countSent(
  { connectionSession }: Pick<Exchange, 'connectionSession'>,
  output: StreamOutput,
  bytes: number,
): void {
  output.sent(bytes);
  connectionSession.session?.sent(bytes);
}

function isStep(answer: MediaAnswer, step: WindowAnswer['step']): boolean {
  return answer.from === 'window' && answer.step === step;
}

function isPlayedBy(proto: ArrivalProtocol, session: SessionProtocol): boolean {
  return proto === session || (proto === 'cmaf' && (session === 'hls' || session === 'dash'));
}

/**
 * Reports whether a session may play a time: an archive that is authorized separately needs a session that started with
 * it.
 */
function mayPlayTime(
  { policy, isOfArchive }: Session,
  proto: ArrivalProtocol,
  archive: ArchiveTime | undefined,
): boolean {
  if (!policy.isArchiveProtected || !isRestricted(policy)) return true;
  return archive ? isOfArchive : !isOfArchive || proto === 'cmaf';
}

function fileOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Redirects one viewer to another address. */
export function redirect(exchange: Exchange, location: string): void {
  exchange.reply({ status: 302, headers: `Location: ${location}\r\n${NO_STORE}`, body: [], bodyBytes: 0 });
}

function refuse(exchange: Exchange, { code, detail, location }: Extract<Admission, { kind: 'refused' }>): void {
  if (location === undefined) exchange.reply(errorReply(code, detail));
  else redirect(exchange, location);
}
