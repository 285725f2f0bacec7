import { addressGroup } from '../../lib/network-address.ts';
import type { WorkTurns } from '../../lib/work-turns.ts';
import { Programme } from '../../packaging/programme.ts';
import type { Segment, WindowSegment } from '../../segment/segment-window.ts';
import type { Exchange, Reply } from '../exchange.ts';
import { CORS, IMMUTABLE, MEDIA_TYPES, NOT_STORED } from '../headers.ts';
import { errorReply, unreadableReply } from '../media-error.ts';
import type { StreamOutput } from '../stream-output.ts';
import type { AnswersTo, ResourceOf } from '../media-answer.ts';
import { MuxedSegments } from './muxed-segments.ts';
import { carriesToken } from './own-addresses.ts';
import { sendMedia, writeMedia, writeRead, type MediaCallbacks } from './send-media.ts';

/** Maximum wait of a request for a hinted part, in milliseconds. */
const PART_WAIT_MS = 6000;

const ACCEPT_RANGES = 'Accept-Ranges: bytes\r\n';
const HEADERS = {
  video: `Content-Type: ${MEDIA_TYPES.video}\r\n${IMMUTABLE}${ACCEPT_RANGES}${CORS}`,
  audio: `Content-Type: ${MEDIA_TYPES.audio}\r\n${IMMUTABLE}${ACCEPT_RANGES}${CORS}`,
  ts: `Content-Type: ${MEDIA_TYPES.ts}\r\n${IMMUTABLE}${ACCEPT_RANGES}${CORS}`,
};

/** Answers to the addresses in playlists and MPDs. @param turns turns of addresses for media made on request */
export function segmentAnswers(turns: WorkTurns): AnswersTo<'init' | 'segment' | 'part' | 'ts-segment'> {
  const muxed = new MuxedSegments(turns);
  const common = { from: 'window', step: 'segment', needs: 'nothing' } as const;
  return {
    segment: { ...common, proto: 'cmaf', answer: replyWithSegment },
    part: { ...common, proto: 'cmaf', answer: replyWithPart },
    init: { ...common, proto: 'cmaf', answer: replyWithInit },
    'ts-segment': {
      ...common,
      proto: 'hls',
      answer(exchange: Exchange, output: StreamOutput, { address }: ResourceOf<'ts-segment'>) {
        void replyWithTsSegment(exchange, output, address, muxed);
      },
    },
  };
}

/** Answers with an init segment. */
function replyWithInit(exchange: Exchange, output: StreamOutput, resource: ResourceOf<'init'>): void {
  const { trackId, initId, addressPrefix } = resource;
  const init = output.window.init(trackId, initId, addressPrefix);
  if (!init) {
    exchange.reply(errorReply('segment_gone', `Init segment ${initId} of ${trackId} is not in the window`));
    return;
  }
  sendMedia(exchange, output, { headers: headersOf(exchange, trackId), etag: `"${addressPrefix}${initId}"` }, [init]);
}

/** Answers with a CMAF segment; an open one is sent part by part. */
function replyWithSegment(exchange: Exchange, output: StreamOutput, resource: ResourceOf<'segment'>): void {
  const { trackId, address } = resource;
  const segment = findSegment(exchange, output, trackId, address)?.segment;
  if (!segment) return;
  const headers = headersOf(exchange, trackId, output.isOfViewer(trackId, address));
  const delivered = (): void => {
    output.delivered(trackId, address);
  };
  const unreadable = reportUnreadable(output, resource, () => {
    replyWithSegment(exchange, output, resource);
  });
  const head = { headers, etag: `"${address}"` };
  if (segment.isComplete) sendMedia(exchange, output, head, segment.parts, { delivered, unreadable, segment });
  else streamOpenSegment(exchange, output, headers, segment, { delivered, unreadable });
}

/** Answers with a part; waits for a hinted one (RFC 8216bis 6.2.6). */
function replyWithPart(
  exchange: Exchange,
  output: StreamOutput,
  resource: ResourceOf<'part'>,
  now: () => number,
): void {
  const { trackId, address, index } = resource;
  const segment = findSegment(exchange, output, trackId, address)?.segment;
  if (!segment) return;
  const headers = headersOf(exchange, trackId, output.isOfViewer(trackId, address));
  const head = { headers, etag: `"${address}.${index}"` };
  const send = (): void => {
    const part = segment.parts[index];
    if (part)
      sendMedia(exchange, output, head, [part], {
        delivered: () => {
          output.delivered(trackId, address, index);
        },
        unreadable: reportUnreadable(output, resource, () => {
          replyWithPart(exchange, output, resource, now);
        }),
        segment,
      });
    else exchange.reply(errorReply('segment_gone', `Segment ${address} has no part ${index}`));
  };
  if (segment.parts[index] || segment.isComplete) {
    send();
    return;
  }
  if (index > segment.parts.length) {
    exchange.reply(errorReply('segment_too_early', `Part ${index} of segment ${address} is not the next one`));
    return;
  }
  const isDone = (): boolean => segment.parts.length > index || segment.isComplete;
  exchange.onClose(
    output.wait(isDone, now() + PART_WAIT_MS, (isInTime) => {
      if (isInTime) send();
      else exchange.reply(errorReply('blocking_timeout', `Part ${index} of segment ${address} did not come in time`));
    }),
  );
}

/** Answers with a muxed segment of the TS rendition, created for the first viewer. */
async function replyWithTsSegment(
  exchange: Exchange,
  output: StreamOutput,
  address: string,
  muxed: MuxedSegments,
): Promise<void> {
  const { window } = output;
  const programme = new Programme(window);
  const entry = programme.byAddress(address);
  if (!entry) {
    exchange.reply(missingSegment(output, address));
    return;
  }
  if (!programme.isReady(entry.msn)) {
    exchange.reply(errorReply('segment_too_early', `Segment ${address} is not complete`));
    return;
  }
  let isGone = false;
  exchange.onClose(() => {
    isGone = true;
  });
  let bytes: Uint8Array;
  try {
    bytes = await muxed.get(window, entry, addressGroup(exchange.peer));
  } catch (error) {
    if (isGone) return;
    if (output.unreadable(entry.segment.trackId, address)) void replyWithTsSegment(exchange, output, address, muxed);
    else exchange.reply(unreadableReply(error));
    return;
  }
  if (isGone) return;
  const { trackId } = entry.segment;
  const isNotStored = muxed.isDamaged(bytes) || output.isOfViewer(trackId, address);
  const headers = cachedBy(exchange, HEADERS.ts, isNotStored);
  const head = { headers, etag: `"${address}"` };
  sendMedia(exchange, output, head, [{ sizeBytes: bytes.length, pieces: [{ bytes }] }], {
    delivered: () => {
      output.delivered(trackId, address);
    },
  });
}

/**
 * Callback that reports unreadable media to the output. The callback returns `answer` if the output replaces the
 * media.
 */
function reportUnreadable(
  output: StreamOutput,
  { trackId, address }: { readonly trackId: string; readonly address: string },
  answer: () => void,
): () => (() => void) | undefined {
  return () => (output.unreadable(trackId, address) ? answer : undefined);
}

function streamOpenSegment(
  exchange: Exchange,
  output: StreamOutput,
  headers: string,
  segment: Segment,
  { delivered, unreadable }: Required<Omit<MediaCallbacks, 'segment'>>,
): void {
  const body = exchange.stream(200, headers);
  if (exchange.method === 'HEAD') {
    body.end();
    return;
  }
  let sent = 0;
  let isGone = false;
  let giveUp: (() => void) | undefined;
  const sendNew = async (): Promise<void> => {
    // The segment left the window before all parts were sent. The body is aborted, because its end would look complete.
    if (segment.parts.length < sent || (segment.isComplete && segment.parts.length === 0)) {
      body.abort();
      return;
    }
    const fresh = segment.parts.slice(sent);
    sent += fresh.length;
    for (const part of fresh) {
      const isWritten = writeMedia(exchange, output, body, part) || (await writeRead(exchange, output, body, part));
      if (isWritten && !isGone) continue;
      unreadable();
      if (!isGone) body.abort();
      return;
    }
    if (segment.parts.length > sent) {
      // More parts arrived while earlier ones were read.
      void sendNew();
      return;
    }
    if (segment.isComplete) {
      body.end();
      delivered();
      return;
    }
    const sentBefore = sent;
    giveUp = output.wait(
      () => segment.parts.length > sentBefore || segment.isComplete,
      Infinity,
      (isInTime) => {
        if (isInTime) void sendNew();
        else body.abort();
      },
    );
  };
  exchange.onClose(() => {
    isGone = true;
    giveUp?.();
  });
  void sendNew();
}

function findSegment(
  exchange: Exchange,
  output: StreamOutput,
  trackId: string,
  address: string,
): WindowSegment | undefined {
  const { window, name } = output;
  const found = window.segmentByAddress(trackId, address);
  if (found) return found;
  const isKnown = window.tracks.some(({ track }) => track.id === trackId);
  exchange.reply(
    isKnown ? missingSegment(output, address) : errorReply('track_not_found', `${name} has no track ${trackId}`),
  );
  return undefined;
}

function missingSegment({ window }: StreamOutput, address: string): Reply {
  // The address of a segment of the stream is its start in epoch milliseconds. Tracks end at slightly different times.
  const lastMs = Math.min(...window.tracks.map(({ track }) => window.lastSegment(track.id)?.startMs ?? Infinity));
  return Number(address) > lastMs
    ? errorReply('segment_too_early', `There is no segment ${address} yet`)
    : errorReply('segment_gone', `Segment ${address} has left the window, or was never in it`);
}

function headersOf(exchange: Exchange, trackId: string, isOfViewer = false): string {
  return cachedBy(exchange, trackId.startsWith('v') ? HEADERS.video : HEADERS.audio, isOfViewer);
}

/** Replies that a backend authorized must not be in shared caches, because a cache does not ask the backend. */
function cachedBy(exchange: Exchange, headers: string, isNotStored: boolean): string {
  if (isNotStored) return headers.replace(IMMUTABLE, NOT_STORED);
  return carriesToken(exchange) ? headers.replace('public, ', 'private, ') : headers;
}
