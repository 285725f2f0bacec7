import { isTsSegmentReady, leadingTrack } from '../../packaging/hls/ts-playlist.ts';
import { muxTsSegment } from '../../packaging/mpegts/segment.ts';
import type { Segment, WindowTrack } from '../../segment/segment-window.ts';
import type { Exchange } from '../exchange.ts';
import { CORS, IMMUTABLE, MEDIA_TYPES } from '../headers.ts';
import { errorReply } from '../media-error.ts';
import type { AnswersTo, ResourceOf } from './media-answer.ts';
import { sendBody, sendOpenSegment } from './part-bodies.ts';
import type { StreamOutput } from '../stream-output.ts';

/** How long a request for a part that was hinted at may wait, in milliseconds. */
const PART_WAIT_MS = 6000;

const ACCEPT_RANGES = 'Accept-Ranges: bytes\r\n';
const HEADERS = {
  video: `Content-Type: ${MEDIA_TYPES.video}\r\n${IMMUTABLE}${ACCEPT_RANGES}${CORS}`,
  audio: `Content-Type: ${MEDIA_TYPES.audio}\r\n${IMMUTABLE}${ACCEPT_RANGES}${CORS}`,
  ts: `Content-Type: ${MEDIA_TYPES.ts}\r\n${IMMUTABLE}${ACCEPT_RANGES}${CORS}`,
};

/** What a playlist or an MPD names, and players ask for all the time. */
export const SEGMENT_ANSWERS: AnswersTo<'init' | 'segment' | 'part' | 'ts-segment'> = {
  segment: { from: 'window', proto: 'cmaf', step: 'segment', startWait: 'never', answer: replyWithSegment },
  part: { from: 'window', proto: 'cmaf', step: 'segment', startWait: 'never', answer: replyWithPart },
  init: { from: 'window', proto: 'cmaf', step: 'segment', startWait: 'never', answer: replyWithInit },
  'ts-segment': { from: 'window', proto: 'hls', step: 'segment', startWait: 'never', answer: replyWithTsSegment },
};

/** Answers with an init segment. */
function replyWithInit(exchange: Exchange, output: StreamOutput, { trackId, initId }: ResourceOf<'init'>): void {
  const init = output.window.init(trackId, initId);
  if (!init) {
    exchange.reply(errorReply('segment_gone', `Init segment ${initId} of ${trackId} is not in the window`));
    return;
  }
  sendBody(exchange, output, HEADERS[init.track.content], `"${initId}"`, [init]);
}

/** Answers with a CMAF segment; of the open one its parts are sent as they come. */
function replyWithSegment(exchange: Exchange, output: StreamOutput, { trackId, startMs }: ResourceOf<'segment'>): void {
  const track = findTrack(exchange, output, trackId);
  const segment = track && findSegment(exchange, track, startMs);
  if (!track || !segment) return;
  const headers = HEADERS[track.track.content];
  if (segment.isComplete) sendBody(exchange, output, headers, `"${startMs}"`, segment.parts);
  else sendOpenSegment(exchange, output, headers, segment);
}

/** Answers with a part; one that was hinted at is waited for (RFC 8216bis 6.2.6). */
function replyWithPart(
  exchange: Exchange,
  output: StreamOutput,
  { trackId, startMs, index }: ResourceOf<'part'>,
  now: () => number,
): void {
  const track = findTrack(exchange, output, trackId);
  const segment = track && findSegment(exchange, track, startMs);
  if (!track || !segment) return;
  const headers = HEADERS[track.track.content];
  const send = (): void => {
    const part = segment.parts[index];
    if (part) sendBody(exchange, output, headers, `"${startMs}.${index}"`, [part]);
    else exchange.reply(errorReply('segment_gone', `Segment ${startMs} has no part ${index}`));
  };
  if (segment.parts[index] || segment.isComplete) {
    send();
    return;
  }
  if (index > segment.parts.length) {
    exchange.reply(errorReply('segment_too_early', `Part ${index} of segment ${startMs} is not the next one`));
    return;
  }
  const isDone = (): boolean => segment.parts.length > index || segment.isComplete;
  exchange.onClose(
    output.wait(isDone, now() + PART_WAIT_MS, (isInTime) => {
      if (isInTime) send();
      else exchange.reply(errorReply('blocking_timeout', `Part ${index} of segment ${startMs} did not come in time`));
    }),
  );
}

/** Answers with a muxed segment of the TS rendition, made when the first viewer asks. */
function replyWithTsSegment(exchange: Exchange, output: StreamOutput, { startMs }: ResourceOf<'ts-segment'>): void {
  const leader = leadingTrack(output.window);
  const segment = leader && findSegment(exchange, leader, startMs);
  if (!leader || !segment) return;
  if (!isTsSegmentReady(output.window, segment.msn)) {
    exchange.reply(errorReply('segment_too_early', `Segment ${startMs} is not complete`));
    return;
  }
  const known = tsSegments.get(segment);
  const bytes = known ?? muxTsSegment(output.window, segment.msn);
  if (!known) tsSegments.set(segment, bytes);
  sendBody(exchange, output, HEADERS.ts, `"${startMs}"`, [{ bytes }]);
}

/** Muxed segments live as long as the segments that they are made of. */
const tsSegments = new WeakMap<Segment, Uint8Array>();

function findTrack(exchange: Exchange, output: StreamOutput, trackId: string): WindowTrack | undefined {
  const track = output.window.tracks.find((candidate) => candidate.track.id === trackId);
  if (!track) exchange.reply(errorReply('track_not_found', `${output.name} has no track ${trackId}`));
  return track;
}

function findSegment(exchange: Exchange, track: WindowTrack, startMs: number): Segment | undefined {
  const { segments } = track;
  for (let index = segments.length - 1; index >= 0; index--) {
    const segment = segments[index];
    if (segment?.startMs === startMs) return segment;
  }
  const isLate = startMs < (segments[0]?.startMs ?? Infinity);
  exchange.reply(
    isLate
      ? errorReply('segment_gone', `Segment ${startMs} has left the window`)
      : errorReply('segment_too_early', `There is no segment ${startMs} yet`),
  );
  return undefined;
}
