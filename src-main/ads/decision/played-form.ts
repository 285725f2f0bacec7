import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Session } from '../../sessions/session.ts';
import type { ReadDecision } from './read-decision.ts';

/** Player of a viewer, by protocol and `User-Agent`. */
type Player = Pick<Session, 'proto'> & { readonly visitor: { readonly userAgent: string } };

/**
 * Players that lose pictures if clips are separate segments: at a discontinuity or a new period they restart and drop queued
 * pictures.
 */
const RESTARTS = /\b(?:Lib)?VLC\/|\bGStreamer\b/;
/** Players that play only one period of a DASH manifest. */
const PLAYS_ONE_PERIOD = /\bLavf\//;

/** Reports whether the viewer's player continues across DASH periods or HLS discontinuities. */
export function playsAcross({ proto, visitor: { userAgent } }: Player): boolean {
  return !RESTARTS.test(userAgent) && !(proto === 'dash' && PLAYS_ONE_PERIOD.test(userAgent));
}

/**
 * Adapts an answer to the viewer's player: players that cannot follow separate clips get them inside the segments, with
 * a note.
 */
export function playedFor(player: Player, read: ReadDecision): ReadDecision {
  const { decision, notes } = read;
  if (decision?.form !== 'separate' || playsAcross(player)) return read;
  const note = because('form_of_player', { player: player.visitor.userAgent.slice(0, 100) });
  return { ...read, decision: { ...decision, form: 'in_place' }, notes: [...notes, note] };
}
