import { stepOf } from '../../packaging/thumbnail-tiles.ts';
import type { Exchange, Reply } from '../exchange.ts';
import { CORS, MEDIA_TYPES, NOSNIFF } from '../headers.ts';
import type { ThumbnailForm } from '../media-address.ts';
import { errorReply, type MediaErrorCode } from '../media-error.ts';
import type { AnswersTo } from './media-answer.ts';

/** What was made, and whether it is going to stay as it is. */
export interface MadeThumbnails<T> {
  readonly made: T;
  readonly isFinal: boolean;
}

/** Why there are no thumbnails, and in words. */
export interface ThumbnailRefusal {
  readonly code: MediaErrorCode;
  readonly detail: string;
}

/** Pictures of what was recorded, for players that seek in it. Times are seconds since 1970. */
export interface ThumbnailPort {
  /** An MP4 of one key frame: that of a time, or the newest one; of a film an early one. */
  previewFile(
    stream: string,
    time: { readonly atSeconds?: number; readonly filmSeconds?: number },
  ): Promise<Uint8Array | ThumbnailRefusal>;
  /** Small pictures side by side in one JPEG: one every so many seconds from a time on. */
  sprite(
    stream: string,
    fromSeconds: number,
    stepSeconds: number,
  ): Promise<MadeThumbnails<Uint8Array> | ThumbnailRefusal>;
  /** Which sprites there are of a time. @param query of the request: `step`, and what the addresses in it carry on */
  list(
    stream: string,
    time: { readonly fromSeconds: number; readonly durationSeconds: number },
    form: ThumbnailForm,
    query: string,
  ): Promise<MadeThumbnails<string> | ThumbnailRefusal>;
}

/** How long what is final may be kept, and what is not, in seconds. */
const FINAL_SECONDS = 86_400;
const GROWING_SECONDS = 5;

const LIST_TYPES: Readonly<Record<ThumbnailForm, string>> = {
  vtt: MEDIA_TYPES.vtt,
  json: MEDIA_TYPES.json,
  m3u8: MEDIA_TYPES.hls,
};

/** Seconds between two thumbnails that a manifest is to list (`thumbnails=10`), the next longer step that there is; undefined where it is to list none, and `bad` where there is none. */
export function thumbnailStep(query: string): number | 'bad' | undefined {
  const asked = /(?:^|&)thumbnails=([^&]*)/.exec(query)?.[1];
  if (asked === undefined) return undefined;
  const seconds = /^\d{1,3}$/.test(asked) ? stepOf(Number(asked)) : 0;
  return seconds > 0 && Number(asked) > 0 && Number(asked) <= seconds ? seconds : 'bad';
}

/** The reply to a step with which there are no thumbnails. */
export function badStep(): Reply {
  return errorReply('bad_request', 'thumbnails is a number of seconds from 1 to 900');
}

/** Answers with thumbnails. @param port without it there are none */
export function thumbnailAnswers(port: ThumbnailPort | undefined): AnswersTo<'preview-file' | 'sprite' | 'thumbnails'> {
  return {
    'preview-file': {
      from: 'stream',
      proto: 'api',
      answer(exchange, stream, time) {
        void reply(exchange, stream, port?.previewFile(stream, time), (file) =>
          bodyReply(file, MEDIA_TYPES.video, time.atSeconds === undefined ? 1 : FINAL_SECONDS),
        );
      },
    },
    sprite: {
      from: 'stream',
      proto: 'api',
      answer(exchange, stream, { fromSeconds, stepSeconds }) {
        void reply(exchange, stream, port?.sprite(stream, fromSeconds, stepSeconds), ({ made, isFinal }) =>
          bodyReply(made, MEDIA_TYPES.jpeg, isFinal ? FINAL_SECONDS : GROWING_SECONDS),
        );
      },
    },
    thumbnails: {
      from: 'stream',
      proto: 'api',
      answer(exchange, stream, { form, ...time }) {
        void reply(exchange, stream, port?.list(stream, time, form, exchange.query), ({ made, isFinal }) =>
          // The addresses in it may carry the token of one viewer.
          bodyReply(Buffer.from(made), LIST_TYPES[form], isFinal ? FINAL_SECONDS : GROWING_SECONDS, 'private, '),
        );
      },
    },
  };
}

async function reply<T extends object>(
  exchange: Exchange,
  stream: string,
  making: Promise<T | ThumbnailRefusal> | undefined,
  replyOf: (made: T) => Reply,
): Promise<void> {
  let isGone = false;
  exchange.onClose(() => {
    isGone = true;
  });
  const failed: ThumbnailRefusal = { code: 'media_unreadable', detail: `Pictures of ${stream} cannot be made` };
  const nothing: ThumbnailRefusal = { code: 'picture_not_available', detail: `There are no pictures of ${stream}` };
  const made = making ? await making.catch(() => failed) : nothing;
  if (isGone) return;
  exchange.reply(isRefusal(made) ? errorReply(made.code, made.detail) : replyOf(made));
}

function isRefusal(made: object): made is ThumbnailRefusal {
  return 'code' in made;
}

function bodyReply(body: Uint8Array, type: string, maxAgeSeconds: number, scope = ''): Reply {
  const headers = `Content-Type: ${type}\r\nCache-Control: ${scope}max-age=${maxAgeSeconds}\r\n${NOSNIFF}${CORS}`;
  return { status: 200, headers, body: [body], bodyBytes: body.length };
}
