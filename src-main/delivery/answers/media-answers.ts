import { WorkTurns } from '../../lib/work-turns.ts';
import type { FileSource } from '../recorded.ts';
import type { MediaResource } from '../media-address.ts';
import { DASH_ANSWERS } from './dash-answers.ts';
import { downloadAnswers } from './download-answers.ts';
import { hlsAnswers } from './hls-answers.ts';
import { JSON_ANSWERS } from './json-answers.ts';
import type { AnswersTo } from '../media-answer.ts';
import { mp4Answers } from './mp4-answers.ts';
import { segmentAnswers } from './segment-answers.ts';
import { streamAnswers, type StreamPort } from './stream-answers.ts';
import { thumbnailAnswers, type ThumbnailPort } from './thumbnail-answers.ts';
import { subtitleAnswers } from './subtitle-answers.ts';
import { tsAnswers, type TsOutputs } from './ts-output.ts';
import { tsPlaylistAnswers } from './ts-playlist-answers.ts';

export interface MediaAnswersOptions {
  readonly port: StreamPort;
  readonly tsOutputs: TsOutputs;
  /** Creates thumbnails for seeking; without it there are none. */
  readonly thumbnails?: ThumbnailPort;
  /** Playable files; without it there are none. */
  readonly files?: FileSource;
  /** Name of the query parameter with the viewer's token. */
  readonly tokenName: () => string;
}

/** Maximum number of bodies that are created on request at the same time; most of their time is reading from disk. */
const MAX_BODIES_AT_ONCE = 4;
/** Maximum number of pictures of files and archives that are created on request at the same time. */
const MAX_PICTURES_AT_ONCE = 4;

/** Table of all answers. A new kind needs an entry in `MediaResource` and an answer here. */
export function mediaAnswers({
  port,
  tsOutputs,
  tokenName,
  thumbnails,
  files,
}: MediaAnswersOptions): AnswersTo<MediaResource['kind']> {
  const pictureTurns = new WorkTurns(MAX_PICTURES_AT_ONCE);
  const turns = new WorkTurns(MAX_BODIES_AT_ONCE);
  return {
    ...segmentAnswers(turns),
    ...hlsAnswers(tokenName),
    ...tsPlaylistAnswers(tokenName),
    ...DASH_ANSWERS,
    ...JSON_ANSWERS,
    ...downloadAnswers(files),
    ...mp4Answers(turns),
    ...tsAnswers(tsOutputs, turns),
    ...subtitleAnswers(tokenName),
    ...streamAnswers(port, pictureTurns, (name) => files?.covers(name) === true),
    ...thumbnailAnswers(thumbnails, pictureTurns),
  };
}
