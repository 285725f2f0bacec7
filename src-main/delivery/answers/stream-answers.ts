import type { WorkTurns } from '../../lib/work-turns.ts';
import type { EmbedPage } from '../embed-page.ts';
import type { Exchange, Reply } from '../exchange.ts';
import { CORS, MEDIA_TYPES, NOSNIFF } from '../headers.ts';
import { errorReply } from '../media-error.ts';
import { secondsOf } from '../recorded.ts';
import { inTurn } from './in-turn.ts';
import type { AnswersTo, StreamAnswer } from '../media-answer.ts';

/** JPEG; undefined if there is none, `busy` if it cannot be created at the moment. */
type MadePicture = Uint8Array | 'busy' | undefined;

/** Newest picture of a stream or file. */
interface NewestPicture {
  readonly jpeg: Uint8Array;
  /** Time of the picture, in epoch milliseconds; absent for a file. */
  readonly takenAtMs?: number;
}

/** Functions for requests about streams, running or not. */
export interface StreamPort {
  /** Reports whether a stream of this name is configured or published, playing or not. */
  isKnown(stream: string): boolean;
  /** Body of `media_info.json` or `info.json`; undefined for an unknown stream. */
  describe(stream: string, kind: 'media-info' | 'info'): string | undefined;
  /** Body of `media_info.json` at a time of the archive, in epoch milliseconds; undefined without a recording. */
  mediaInfoAt?(stream: string, atMs: number): Promise<string | undefined>;
  /** Body of `recording_status.json`; undefined if recordings are unknown. Rejects if the catalog cannot be read. */
  recordingStatus(stream: string, query: string): Promise<string | undefined>;
  /** Picture of the last key frame. */
  picture(stream: string): Promise<NewestPicture | 'busy' | undefined>;
  /**
   * JPEG of the archive at a time, in epoch milliseconds.
   * @param isExact true for the picture of exactly that time, in full size
   */
  pictureAt(stream: string, atMs: number, isExact: boolean): Promise<MadePicture>;
  /**
   * Embeddable player page of a stream.
   * @param isArchive true with a bar for seeking in the archive
   */
  embedPage(stream: string, isArchive: boolean): EmbedPage;
}

/**
 * Answers to pages and other programs.
 *
 * @param turns turns of addresses for pictures of files and archives; the picture of a live stream is made once for all viewers
 * @param isFile whether a name belongs to a file
 */
export function streamAnswers(
  port: StreamPort,
  turns: WorkTurns,
  isFile: (name: string) => boolean,
): AnswersTo<'embed' | 'media-info' | 'info' | 'recording-status' | 'preview' | 'recorded-picture'> {
  const description: StreamAnswer<{ readonly kind: 'media-info' | 'info' }> = {
    from: 'stream',
    proto: 'api',
    answer(exchange, stream, { kind }) {
      const body = port.describe(stream, kind);
      exchange.reply(body === undefined ? unknownStream(stream) : textReply(body, MEDIA_TYPES.json, 1));
    },
  };
  return {
    embed: {
      from: 'stream',
      // The page needs no session. The media that the page plays needs one.
      proto: undefined,
      answer(exchange, stream) {
        exchange.reply(
          port.isKnown(stream) ? pageReply(port.embedPage(stream, DVR.test(exchange.query))) : unknownStream(stream),
        );
      },
    },
    'media-info': {
      ...description,
      answer(exchange: Exchange, stream: string, resource: { readonly kind: 'media-info' }) {
        const atSeconds = secondsOf('from', exchange.query);
        if (atSeconds === undefined || !port.mediaInfoAt || !port.isKnown(stream))
          description.answer(exchange, stream, resource);
        else void replyWithInfo(exchange, stream, port.mediaInfoAt(stream, atSeconds * 1000));
      },
    },
    info: description,
    'recording-status': {
      from: 'stream',
      proto: 'api',
      answer(exchange, stream) {
        if (port.isKnown(stream)) void replyWithStatus(exchange, stream, port);
        else exchange.reply(unknownStream(stream));
      },
    },
    preview: {
      from: 'stream',
      proto: 'api',
      answer(exchange, stream) {
        const picture = async (): ReturnType<StreamPort['picture']> => port.picture(stream);
        const what = `of ${stream} at the moment`;
        if (!port.isKnown(stream)) exchange.reply(unknownStream(stream));
        else void replyWithPicture(exchange, 1, what, isFile(stream) ? inTurn(turns, exchange, picture) : picture());
      },
    },
    'recorded-picture': {
      from: 'stream',
      proto: 'api',
      answer(exchange, stream, { atSeconds, isExact = false }) {
        const atMs = Math.round(atSeconds * 1000);
        const what = `of ${stream} at that time`;
        if (!port.isKnown(stream)) exchange.reply(unknownStream(stream));
        else {
          const making = inTurn(turns, exchange, async () => port.pictureAt(stream, atMs, isExact));
          void replyWithPicture(exchange, PICTURE_AGE_SECONDS, what, making);
        }
      },
    },
  };
}

async function replyWithStatus(exchange: Exchange, stream: string, port: StreamPort): Promise<void> {
  let isGone = false;
  exchange.onClose(() => {
    isGone = true;
  });
  const body = await port.recordingStatus(stream, exchange.query).catch(() => undefined);
  if (isGone) return;
  exchange.reply(
    body === undefined
      ? errorReply('media_unreadable', `The recordings of ${stream} cannot be listed`)
      : textReply(body, MEDIA_TYPES.json, 1),
  );
}

async function replyWithInfo(exchange: Exchange, stream: string, info: Promise<string | undefined>): Promise<void> {
  let isGone = false;
  exchange.onClose(() => {
    isGone = true;
  });
  const body = await info.catch(() => undefined);
  if (isGone) return;
  exchange.reply(
    body === undefined
      ? errorReply('archive_empty', `${stream} has no recording at that time`)
      : textReply(body, MEDIA_TYPES.json, PICTURE_AGE_SECONDS),
  );
}

/** Cache time of a picture or description of the archive, in seconds: it never changes. */
const PICTURE_AGE_SECONDS = 3600;

async function replyWithPicture(
  exchange: Exchange,
  maxAgeSeconds: number,
  what: string,
  making: Promise<MadePicture | NewestPicture>,
): Promise<void> {
  let isGone = false;
  exchange.onClose(() => {
    isGone = true;
  });
  const picture = await making.catch(() => undefined);
  if (isGone) return;
  if ((picture === 'busy' || !picture) && OPTIONAL.test(exchange.query)) {
    exchange.reply({ status: 204, headers: `Cache-Control: no-store\r\n${CORS}`, body: [], bodyBytes: 0 });
    return;
  }
  if (picture === 'busy') {
    exchange.reply(errorReply('unavailable', `The picture ${what} cannot be made now; try again`));
    return;
  }
  if (!picture) {
    exchange.reply(errorReply('picture_not_available', `There is no picture ${what}`));
    return;
  }
  const { jpeg, takenAtMs = undefined } = picture instanceof Uint8Array ? { jpeg: picture } : picture;
  const taken = takenAtMs === undefined ? '' : `Last-Modified: ${new Date(takenAtMs).toUTCString()}\r\n`;
  const headers = `Content-Type: ${MEDIA_TYPES.jpeg}\r\nCache-Control: max-age=${maxAgeSeconds}\r\n${taken}${CORS}`;
  exchange.reply({ status: 200, headers, body: [jpeg], bodyBytes: jpeg.length });
}

/** Requests of desks, which ask for a picture often: browsers report each answer above 400 on their console as an error. */
const OPTIONAL = /(?:^|&)optional=(?:true|1)(?:&|$)/;
const DVR = /(?:^|&)dvr=(?:true|1)(?:&|$)/;

function unknownStream(stream: string): Reply {
  return errorReply('stream_not_found', `There is no stream ${stream}`);
}

function pageReply({ html, policy }: EmbedPage): Reply {
  const reply = textReply(html, MEDIA_TYPES.html, 60);
  return { ...reply, headers: `${reply.headers}Content-Security-Policy: ${policy}\r\n` };
}

function textReply(text: string, type: string, maxAgeSeconds: number): Reply {
  const body = Buffer.from(text);
  return {
    status: 200,
    headers: `Content-Type: ${type}\r\nCache-Control: max-age=${maxAgeSeconds}\r\n${NOSNIFF}${CORS}`,
    body: [body],
    bodyBytes: body.length,
  };
}
