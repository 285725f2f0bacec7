import type { Session } from '../sessions/session.ts';
import type { ReadDecision } from './read-decision.ts';

/** The player of a viewer, as far as it says what it is. */
type Player = Pick<Session, 'proto'> & { readonly visitor: { readonly userAgent: string } };

/** Players that lose pictures where clips are segments of their own: behind a discontinuity, or in another period, they begin anew, and what waits to be shown is dropped. */
const BEGINS_ANEW = /\b(?:Lib)?VLC\/|\bGStreamer\b/;
/** Those that play one period of a manifest of DASH only. */
const HAS_ONE_PERIOD = /\bLavf\//;

/** Whether the player of a viewer goes on from one period of DASH to the next one, or over a discontinuity of HLS. */
export function goesOver({ proto, visitor: { userAgent } }: Player): boolean {
  return !BEGINS_ANEW.test(userAgent) && !(proto === 'dash' && HAS_ONE_PERIOD.test(userAgent));
}

/** How an answer is played for a viewer: clips apart stand inside the segments for players that cannot follow them, with a note. */
export function playedFor(player: Player, read: ReadDecision): ReadDecision {
  const { decision, notes } = read;
  if (decision?.form !== 'apart' || goesOver(player)) return read;
  const name = player.visitor.userAgent.slice(0, 100);
  const note = `v is played as 2: ${name} loses pictures where clips are segments of their own`;
  return { ...read, decision: { ...decision, form: 'inside' }, notes: [...notes, note] };
}
