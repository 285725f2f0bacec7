import { describe, expect, it } from 'vitest';
import { CALLS, type CallName } from '../../src-preload/contract/calls.ts';
import type { Caller } from '../operators/caller.ts';
import { isEventInScope, requireCallAccess, requireInputInScope, streamsInScope } from './desk-scope.ts';

const EVERYTHING: Caller = { mayRead: true, mayWrite: true, who: 'ann', address: '' };
const STUDIO: Caller = { ...EVERYTHING, who: 'token studio', prefixes: ['studio'] };

/** Whether a call for a stream is refused. */
function isRefused(caller: Caller, call: CallName, name: string): boolean {
  try {
    requireInputInScope(caller, CALLS[call].about, { name });
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: 'forbidden' });
    return true;
  }
}

describe('requireInputInScope', () => {
  const calls = Object.keys(CALLS) as CallName[];

  it('allows callers with access to all streams every call', () => {
    expect(calls.filter((call) => isRefused(EVERYTHING, call, 'other'))).toEqual([]);
  });

  it('refuses callers of some streams any call about other streams or the entire server', () => {
    const refusedOther = calls.filter((call) => isRefused(STUDIO, call, 'other'));
    const refusedOwn = calls.filter((call) => isRefused(STUDIO, call, 'studio/left'));
    expect(refusedOwn.filter((call) => !refusedOther.includes(call))).toEqual([]);
    expect(refusedOther.filter((call) => !refusedOwn.includes(call))).toEqual(
      expect.arrayContaining(['streams.add', 'streams.remove', 'streams.select_input', 'streams.restart']),
    );
    // Changes of the configuration concern all streams, whatever their input names.
    expect(calls.filter((call) => call.startsWith('config.') && !refusedOwn.includes(call))).toEqual([]);
  });

  it('and requireCallAccess follow the access in the table of calls, also for reading the configuration', () => {
    const reader: Caller = { ...EVERYTHING, mayWrite: false };
    const isClosed = (caller: Caller, call: CallName): boolean => {
      try {
        requireCallAccess(caller, call);
        return false;
      } catch (error) {
        expect(error).toMatchObject({ code: 'forbidden' });
        return true;
      }
    };
    expect(calls.filter((call) => isClosed(EVERYTHING, call))).toEqual([]);
    expect(calls.filter((call) => isClosed({ ...reader, mayOperate: true }, call))).toEqual(
      calls.filter((call) => CALLS[call].access === 'edit'),
    );
    const closed = calls.filter((call) => isClosed(reader, call));
    expect(closed).toEqual(calls.filter((call) => CALLS[call].access !== 'view'));
    expect(closed).toEqual(
      expect.arrayContaining(['config.text', 'config.versions', 'config.check', 'config.compare_file', 'portals.list']),
    );
  });

  it('checks all streams that a call names, in `name` and in `names`', () => {
    for (const input of [{ name: 'other', names: ['studio/a'] }, { names: ['studio/a', 'other'] }, { names: [] }])
      expect(() => {
        requireInputInScope(STUDIO, CALLS['archive.export'].about, input);
      }, JSON.stringify(input)).toThrow(expect.objectContaining({ code: 'forbidden' }));
    requireInputInScope(STUDIO, CALLS['archive.export'].about, { name: 'studio', names: ['studio/a'] });
  });

  it('refuses a call about a stream that names no stream', () => {
    expect(() => {
      requireInputInScope(STUDIO, CALLS['streams.remove'].about, {});
    }).toThrow(expect.objectContaining({ code: 'forbidden' }));
  });
});

describe('stream messages in the scope of a caller', () => {
  // Only the name of a stream is read here.
  const named = (name: string) => ({ name }) as Parameters<typeof streamsInScope>[0]['changed'][number];

  it('contain only visible streams', () => {
    const message = { is_snapshot: false, changed: [named('studio/a'), named('studios')], removed: ['studio', 'x'] };
    expect(streamsInScope(message, STUDIO)).toEqual({
      is_snapshot: false,
      changed: [named('studio/a')],
      removed: ['studio'],
    });
    expect(streamsInScope(message, EVERYTHING)).toEqual(message);
  });

  it('are not sent if they are empty, except for the first message', () => {
    const others = { changed: [named('other')], removed: [] };
    expect(streamsInScope({ is_snapshot: false, ...others }, STUDIO)).toBeUndefined();
    expect(streamsInScope({ is_snapshot: true, ...others }, STUDIO)).toEqual({
      is_snapshot: true,
      changed: [],
      removed: [],
    });
  });
});

describe('events in the scope of a caller', () => {
  // Only the stream of an event is read here.
  const about = (media?: string) => ({ media }) as Parameters<typeof isEventInScope>[0];

  it('are those of its streams, or all events for a caller of all streams', () => {
    const events = [about('studio'), about('studio/a'), about('studios'), about()];
    expect(events.map((event) => isEventInScope(event, STUDIO))).toEqual([true, true, false, false]);
    expect(events.map((event) => isEventInScope(event, EVERYTHING))).toEqual([true, true, true, true]);
  });
});
