import { because, type Explained } from '../../src-preload/contract/explanations/explanations.ts';
import { addressOfPeer } from '../lib/network-address.ts';
import type { Session } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { viewerTokenOf, withToken } from '../sessions/token.ts';
import type { StreamOutput } from './stream-output.ts';

/** Request of an RTMP player. */
interface RtmpArrival {
  /** Application and name: `static/cam1` for a configured stream, otherwise the name of the stream. */
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
  /** `ip:port`. */
  readonly peer: string;
  readonly agent: string;
  /** Page that contains the player; empty for none. */
  readonly page: string;
}

/** Reason why a player is refused or disconnected. */
interface RtmpEnd extends Explained {
  readonly code: string;
}

/** An admitted RTMP player. */
interface RtmpViewer {
  /** Name of the stream. */
  readonly name: string;
  /** Counts bytes on their way to the player. */
  sent(bytes: number): void;
  /** Called once, when the player has left. */
  left(): void;
}

export interface RtmpViewersOptions {
  readonly sessions: Sessions;
  /** Name of the query parameter with the token. */
  readonly tokenName: () => string;
  /** Output of a live stream; undefined if there is no such stream. */
  readonly outputOf: (stream: string) => StreamOutput | undefined;
  /** Opens an on-demand stream for a viewer; returns whether media can be expected. */
  readonly demand: (stream: string) => boolean;
  readonly now: () => number;
  /** Whether the first media is expected soon. */
  readonly isStarting: (stream: string) => boolean;
}

/** Application of configured streams. */
const STATIC = 'static/';
/** Maximum silence of a session in milliseconds; a connection keeps its session open. */
const SILENT_MS = 60_000;
/** Maximum number of admissions of one request: with a new token, and after a decision. */
const MAX_ROUNDS = 4;

/** Opens the sessions of RTMP players. The sockets are on media threads. */
export class RtmpViewers {
  readonly #options: RtmpViewersOptions;

  constructor(options: RtmpViewersOptions) {
    this.#options = options;
  }

  /** Decides about a player. @param player `close` disconnects it later */
  async open(arrival: RtmpArrival, player: { close(end: RtmpEnd): void }): Promise<RtmpViewer | RtmpEnd> {
    const { outputOf, demand, isStarting, now } = this.#options;
    const { path } = arrival;
    const names = path.startsWith(STATIC) ? [path.slice(STATIC.length), path] : [path];
    const name = names.find((each) => outputOf(each) !== undefined);
    if (name === undefined) return { code: 'stream_not_found', ...because('play_unknown', { name: path }) };
    const admitted = await this.#admit(name, arrival);
    if ('code' in admitted) return admitted;
    const output = outputOf(name);
    output?.recordActivity(now());
    if (!output || (output.window.isIdle && !demand(name) && !isStarting(name)))
      return { code: 'stream_not_running', detail: `${name} has nothing to play at the moment` };
    return this.#watch(name, admitted.session, player);
  }

  /** Admits a player with a session, without one (a desk), or not at all. */
  async #admit(name: string, arrival: RtmpArrival): Promise<{ readonly session: Session | undefined } | RtmpEnd> {
    const { sessions, tokenName } = this.#options;
    let query = new URLSearchParams([...arrival.query]).toString();
    const given = viewerTokenOf(query, tokenName());
    if (sessions.isOfDesk(given, name)) return { session: undefined };
    if (sessions.deskTokens.isVoid(given))
      return { code: 'playback_denied', detail: 'This viewing token of a desk is no longer valid' };
    if (sessions.isOfOtherStreams(given, name))
      return { code: 'playback_denied', detail: 'The login of this desk is limited to other streams' };
    let token = sessions.isReadOnlyDesk(given) ? '' : given;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const admission = sessions.admit({
        name,
        ip: addressOfPeer(arrival.peer),
        token,
        proto: 'rtmp',
        userAgent: arrival.agent,
        referer: arrival.page,
        host: '',
        queryString: query,
        isOpening: true,
        silentMs: SILENT_MS,
      });
      if (admission.kind === 'open') {
        if (admission.session) admission.session.requestCount++;
        return { session: admission.session };
      }
      if (admission.kind === 'refused') return { code: admission.code, detail: admission.detail };
      if (admission.kind === 'token') {
        ({ token } = admission);
        query = withToken(query, tokenName(), token);
      } else await new Promise<void>((resolve) => void admission.session.whenDecided(resolve));
    }
    return { code: 'unavailable', detail: 'The session could not be opened' };
  }

  /** Counts a viewer until the player leaves, the session ends or the stream is removed. */
  #watch(name: string, session: Session | undefined, player: { close(end: RtmpEnd): void }): RtmpViewer {
    const { outputOf } = this.#options;
    let isOver = false;
    let stop = (): void => {};
    const close = (why: Explained): void => {
      if (!isOver) player.close({ code: 'publish_closed', ...why });
    };
    const watch = (): void => {
      const output = outputOf(name);
      if (!output) {
        close(because('player_stream_closed'));
        return;
      }
      const stopWatching = output.watch();
      const stopClose = output.onClose(() => {
        stop();
        // A restarted stream has another output, and the viewer stays.
        queueMicrotask(() => {
          if (!isOver && outputOf(name) !== output) watch();
          else close(because('player_stream_closed'));
        });
      });
      stop = () => {
        stopWatching();
        stopClose();
      };
    };
    watch();
    const release = session?.hold(() => {
      close(because('player_session_ended'));
    });
    return {
      name,
      sent: (bytes) => {
        outputOf(name)?.sent(bytes);
        session?.sent(bytes);
      },
      left: () => {
        isOver = true;
        stop();
        release?.();
      },
    };
  }
}
