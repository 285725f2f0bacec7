import type { SpliceInsertBody, SpliceInserted } from '../../src-preload/contract/api/ad-objects.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { makeCancelSection, makeSpliceSection } from '../media/scte35/splice-section.ts';
import type { Streams } from './streams.ts';

/**
 * Maximum time from now to a splice point, in milliseconds. The time in a section wraps after 26 hours (33 bits of 90
 * kHz ticks).
 */
const MAX_AHEAD_MS = 24 * 3_600_000;
/** Maximum age of a splice point that can still be cut, in milliseconds. */
const MAX_LATE_MS = 2000;
const TICKS_PER_MS = 90;

/**
 * Inserts a splice point of an operator or a program into a stream: the start, end or cancellation of a break
 * (`splice_insert`, SCTE 35, 9.7.3). Throws `stream_not_found`, `stream_not_running` and `bad_value`.
 * @param nowMs current time, in epoch milliseconds
 */
export function insertSplice(streams: Streams, name: string, body: SpliceInsertBody, nowMs: number): SpliceInserted {
  const entry = streams.get(name);
  if (!entry) throw new AirdeskError('stream_not_found', `There is no stream ${name}`);
  const { kind = 'out', at = nowMs, duration } = body;
  const refuse = (pointer: string, detail: string): AirdeskError => new AirdeskError('bad_value', detail, { pointer });
  if (at < nowMs - MAX_LATE_MS) throw refuse('/at', 'The time is in the past');
  if (at > nowMs + MAX_AHEAD_MS) throw refuse('/at', 'The time is more than a day ahead');
  if (kind !== 'out' && (duration !== undefined || body.auto_return !== undefined))
    throw refuse('/duration', 'Only the start of a break has a duration');
  if (body.auto_return === true && duration === undefined)
    throw refuse('/auto_return', 'A break without a duration cannot return automatically');
  if (kind === 'cancel' && body.event_id === undefined)
    throw refuse('/event_id', 'event_id of the event to cancel is missing');
  const eventId = body.event_id ?? Math.floor(nowMs / 10) % 2 ** 31;
  const section =
    kind === 'cancel'
      ? makeCancelSection(eventId)
      : makeSpliceSection({
          eventId,
          isOut: kind === 'out',
          ptsTicks: at * TICKS_PER_MS,
          ...(duration === undefined ? {} : { durationMs: duration * 1000, isAutoReturn: body.auto_return ?? true }),
        });
  if (!streams.splice(entry, section, at))
    throw new AirdeskError('stream_not_running', `The stream ${name} is not running`);
  return { event_id: eventId, kind, at };
}
