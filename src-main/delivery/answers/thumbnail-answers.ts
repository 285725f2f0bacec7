import type { WorkTurns } from '../../lib/work-turns.ts';
import { stepOf } from '../../packaging/thumbnail-tiles.ts';
import type { Exchange, Reply } from '../exchange.ts';
import { CORS, MEDIA_TYPES, NOSNIFF } from '../headers.ts';
import type { ThumbnailForm } from '../media-address.ts';
import { errorReply, type MediaErrorCode } from '../media-error.ts';
import { inTurn } from './in-turn.ts';
import type { AnswersTo } from '../media-answer.ts';

/** Created thumbnails. Final thumbnails never change. */
export interface MadeThumbnails<T> {
  readonly content: T;
  readonly isFinal: boolean;
}

/** Reason why there are no thumbnails. */
export interface ThumbnailRefusal {
  readonly code: MediaErrorCode;
  readonly detail: string;
}

/** Pictures of recordings, for seeking. Times are seconds since 1970. */
export interface ThumbnailPort {
  /** MP4 of one key frame: at a time of the archive, at a time since the start of a film, or the newest one. */
  previewFile(
    stream: string,
    time: { readonly atSeconds?: number; readonly filmSeconds?: number },
  ): Promise<Uint8Array | ThumbnailRefusal>;
  /** Sprite: small pictures in one JPEG, one per step from a time on. */
  sprite(
    stream: string,
    fromSeconds: number,
    stepSeconds: number,
  ): Promise<MadeThumbnails<Uint8Array> | ThumbnailRefusal>;
  /**
   * List of the sprites of a time range.
   * @param query query of the request: `step`, and the parameters to pass on in addresses
   */
  list(
    stream: string,
    time: { readonly fromSeconds: number; readonly durationSeconds: number },
    form: ThumbnailForm,
    query: string,
  ): Promise<MadeThumbnails<string> | ThumbnailRefusal>;
}

/** Cache times of final and of growing content, in seconds. */
const FINAL_SECONDS = 86_400;
const GROWING_SECONDS = 5;

const LIST_TYPES: Readonly<Record<ThumbnailForm, string>> = {
  vtt: MEDIA_TYPES.vtt,
  json: MEDIA_TYPES.json,
  m3u8: MEDIA_TYPES.hls,
};

/**
 * Interval of thumbnails to list in a manifest, in seconds (`thumbnails=10`), rounded up to a supported one; undefined
 * for none, `bad` if it is invalid.
 */
export function thumbnailStep(query: string): number | 'bad' | undefined {
  const count = /(?:^|&)thumbnails=([^&]*)/.exec(query)?.[1];
  if (count === undefined) return undefined;
  const seconds = /^\d{1,3}$/.test(count) ? stepOf(Number(count)) : 0;
  return seconds > 0 && Number(count) > 0 && Number(count) <= seconds ? seconds : 'bad';
}

/** Reply to an invalid thumbnail step. */
export function badStep(): Reply {
  return errorReply('bad_request', 'thumbnails must be a number of seconds from 1 to 900');
}

/**
 * Answers with thumbnails.
 *
 * @param port source of thumbnails; without it there are none
 * @param turns turns of addresses for thumbnails
 */
export function thumbnailAnswers(
  port: ThumbnailPort | undefined,
  turns: WorkTurns,
): AnswersTo<'preview-file' | 'sprite' | 'thumbnails'> {
  const makeInTurn = <T>(exchange: Exchange, make: (from: ThumbnailPort) => Promise<T>): Promise<T> | undefined =>
    port && inTurn(turns, exchange, async () => make(port));
  return {
    'preview-file': {
      from: 'stream',
      proto: 'api',
      answer(exchange, stream, time) {
        const making = makeInTurn(exchange, async (from) => from.previewFile(stream, time));
        void reply(exchange, stream, making, (file) =>
          bodyReply(file, MEDIA_TYPES.video, time.atSeconds === undefined ? 1 : FINAL_SECONDS),
        );
      },
    },
    sprite: {
      from: 'stream',
      proto: 'api',
      answer(exchange, stream, { fromSeconds, stepSeconds }) {
        const making = makeInTurn(exchange, async (from) => from.sprite(stream, fromSeconds, stepSeconds));
        void reply(exchange, stream, making, ({ content: sprite, isFinal }) =>
          bodyReply(sprite, MEDIA_TYPES.jpeg, isFinal ? FINAL_SECONDS : GROWING_SECONDS),
        );
      },
    },
    thumbnails: {
      from: 'stream',
      proto: 'api',
      answer(exchange, stream, { form, ...time }) {
        const making = makeInTurn(exchange, async (from) => from.list(stream, time, form, exchange.query));
        void reply(exchange, stream, making, ({ content: list, isFinal }) =>
          // The addresses in the list may contain the token of one viewer.
          bodyReply(Buffer.from(list), LIST_TYPES[form], isFinal ? FINAL_SECONDS : GROWING_SECONDS, 'private, '),
        );
      },
    },
  };
}

async function reply<T extends object>(
  exchange: Exchange,
  stream: string,
  making: Promise<T | ThumbnailRefusal> | undefined,
  replyOf: (result: T) => Reply,
): Promise<void> {
  let isGone = false;
  exchange.onClose(() => {
    isGone = true;
  });
  const failed: ThumbnailRefusal = { code: 'media_unreadable', detail: `Pictures of ${stream} cannot be made` };
  const nothing: ThumbnailRefusal = { code: 'picture_not_available', detail: `There are no pictures of ${stream}` };
  const result = making ? await making.catch(() => failed) : nothing;
  if (isGone) return;
  exchange.reply(isRefusal(result) ? errorReply(result.code, result.detail) : replyOf(result));
}

function isRefusal(result: object): result is ThumbnailRefusal {
  return 'code' in result;
}

function bodyReply(body: Uint8Array, type: string, maxAgeSeconds: number, scope = ''): Reply {
  const headers = `Content-Type: ${type}\r\nCache-Control: ${scope}max-age=${maxAgeSeconds}\r\n${NOSNIFF}${CORS}`;
  return { status: 200, headers, body: [body], bodyBytes: body.length };
}
