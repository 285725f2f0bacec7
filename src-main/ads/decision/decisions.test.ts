import { beforeEach, expect, it } from 'vitest';
import type { Session } from '../../sessions/session.ts';
import { USUAL_RULES } from './ad-decision.ts';
import { Decisions } from './decisions.ts';

const PREROLL = { v: 1, preroll: ['ads/a'] };
const VLC = 'VLC/3.0.18 LibVLC/3.0.18';

let reported: string[];
let decisions: Decisions;

beforeEach(() => {
  reported = [];
  decisions = new Decisions((_, { faults, notes }) => {
    reported.push([...faults, ...notes].map(({ explanation }) => explanation.code).join(' '));
  });
});

function sessionWith(adInject: unknown, userAgent = ''): Session {
  // The code under test reads only these properties.
  return { proto: 'hls', adInject, visitor: { userAgent } } as Session;
}

it('Decisions keeps the decision while the answer and the rules are equal', () => {
  const session = sessionWith(PREROLL);
  const first = decisions.of(session, USUAL_RULES);
  expect(first.decision?.prerolls).toEqual(['ads/a']);
  session.adInject = structuredClone(PREROLL);
  expect(decisions.of(session, USUAL_RULES)).toBe(first);
  expect(decisions.of(session, { ...USUAL_RULES, overrun: 'complete' }).decision?.rules.overrun).toBe('complete');
  session.adInject = { v: 1, preroll: ['ads/b'] };
  expect(decisions.of(session, USUAL_RULES).decision?.prerolls).toEqual(['ads/b']);
});

it('Decisions reports an invalid answer once, and decides nothing', () => {
  const session = sessionWith({ v: 7 });
  for (let request = 0; request < 3; request++) expect(decisions.of(session, USUAL_RULES).decision).toBeUndefined();
  expect(reported).toHaveLength(1);
});

it('Decisions adapts the decision to the player, which is not a fault of the answer', () => {
  const { decision, notes } = decisions.of(sessionWith(PREROLL, VLC), USUAL_RULES);
  expect(decision?.form).toBe('in_place');
  expect(notes.map(({ explanation }) => explanation.code)).toEqual(['form_of_player']);
  expect(reported).toEqual([]);
});
