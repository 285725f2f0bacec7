import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CALLS } from '../../src-preload/contract/calls.ts';
import { domainOf } from '../../src-preload/contract/operation-domains.ts';
import type { OperationTable } from '../../src-preload/contract/operations/operation.ts';
import { ROLES, roleAllows, type Role } from '../../src-preload/contract/operations/roles.ts';
import type { Caller } from './caller.ts';
import { seesAll, viewFor } from './complete-answers.ts';
import { isReadable } from './reader-view.ts';

const TABLE: OperationTable = CALLS;
const ANYONE: Caller = { mayRead: true, mayWrite: false, who: 'anyone', address: '' };
const person = (role: Role): Caller => ({ ...ANYONE, who: 'anna', role });

/**
 * Texts that other callers get masked, and people without the secret parts of their addresses: notes, pictures, and messages of
 * other programs, which may contain addresses with passwords.
 */
const MASKED: Readonly<Record<string, readonly string[]>> = {
  'streams.list': ['.streams[].inputs[].last_error.detail', '.streams[].problems[].detail'],
  'streams.pushes': ['.pushes[].detail', '.pushes[].tracks[]'],
  'streams.transmissions': ['.transmissions[].detail'],
  'streams.probe_input': ['.problems[].detail', '.picture'],
  'alarms.list': ['.alarms[].detail', '.alarms[].acknowledged_by', '.alarms[].note'],
  'alarms.history': ['.alarms[].detail', '.alarms[].acknowledged_by', '.alarms[].note'],
  'alarms.evidence': ['.before_jpeg', '.at_jpeg'],
  'alarms.acknowledge': ['.detail', '.acknowledged_by', '.note'],
  'alarms.shelve': ['.detail', '.acknowledged_by', '.note'],
  'clips.locations': ['.target'],
  'events.sinks': ['.sinks[].last_error.message'],
  'system.state': ['.disks[].fault.message', '.alerts[].message'],
};

/** Paths of the texts in a schema that are masked for readers. */
function maskedTexts(schema: unknown, field = '', path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, enum: values, properties, items, anyOf, oneOf, allOf } = schema as z.core.JSONSchema.BaseSchema;
  return [
    ...([type].flat().includes('string') && !values && !isReadable(field) ? [path] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, one]) => maskedTexts(one, name, `${path}.${name}`)),
    ...maskedTexts(items, field, `${path}[]`),
    ...[anyOf, oneOf, allOf].flatMap((all) => (all ?? []).flatMap((one) => maskedTexts(one, field, path))),
  ];
}

describe('complete answers', () => {
  it('are sent to each role that may use an operation, except texts that may contain addresses', () => {
    const masked = Object.entries(TABLE).flatMap(([name, { access, output }]) => {
      if (name === 'events.recent') return [];
      const isReduced = ROLES.some((role) => roleAllows(role, domainOf(name), access) && !seesAll(person(role), name));
      const texts = isReduced ? maskedTexts(z.toJSONSchema(output, { unrepresentable: 'any' })) : [];
      return texts.length > 0 ? [[name, texts] as const] : [];
    });
    expect(Object.fromEntries(masked)).toEqual(MASKED);
  });

  it('are replaced for people by values in which only the secret parts of addresses are missing', () => {
    const alarm = {
      detail: 'http://u:p@a.example.org/hook?t=1 does not answer: no route',
      facts: { place: 'http://u:p@a.example.org/hook?t=1', explanation: 'no route' },
    };
    const cut = {
      detail: 'http://a.example.org does not answer: no route',
      facts: { place: 'http://a.example.org', explanation: 'no route' },
    };
    expect(viewFor(person('viewer'), 'alarms.list', { alarms: [alarm] })).toEqual({ alarms: [cut] });
    expect(viewFor({ ...ANYONE, who: 'view' }, 'alarms.list', { alarms: [alarm] })).toEqual({
      alarms: [{ detail: '********', facts: { place: '********', explanation: null } }],
    });
  });

  it('show people whole sentences of the log, and the clips of breaks', () => {
    const events = [
      { event: 'api_call', path: 'people.update', operation: null, target: 'anna', user: 'admin' },
      { event: 'ad_inject', path: 'ads/one.mp4', showing_id: 's1', break_id: 'b1' },
      { event: 'input_lost', detail: 'No answer', explanation: { code: 'no_answer', facts: { seconds: 5 } } },
      { event: 'config_applied', changes: [{ part: 'streams', names: ['cam'] }] },
    ];
    expect(viewFor(person('operator'), 'events.recent', { events })).toEqual({ events });
    expect(JSON.stringify(viewFor({ ...ANYONE, who: 'view' }, 'events.recent', { events }))).toContain('********');
  });

  it('show people neither the whole address of an input nor the configuration file', () => {
    const state = { inputs: [{ url: 'rtsp://u:p@h/a?t=1' }], config_on_disk: 'all' };
    expect(viewFor(person('operator'), 'streams.list', state)).toEqual({
      inputs: [{ url: 'rtsp://h/a' }],
      config_on_disk: null,
    });
  });

  it('are sent without a login for walls only, and for bans with access operate only', () => {
    const operations = ['walls.list', 'archive.exports', 'clips.files', 'sessions.bans', 'streams.list'];
    const shownTo = (caller: Caller): string[] => operations.filter((name) => seesAll(caller, name));
    expect(shownTo(ANYONE)).toEqual(['walls.list']);
    expect(shownTo({ ...ANYONE, who: 'view' })).toEqual(['walls.list', 'archive.exports', 'clips.files']);
    expect(shownTo({ ...ANYONE, who: 'token mixer' })).toEqual(['walls.list']);
    const all = ['walls.list', 'archive.exports', 'clips.files', 'sessions.bans'];
    expect(shownTo({ ...ANYONE, who: 'token mixer', mayOperate: true })).toEqual(all);
    expect(shownTo({ ...ANYONE, mayWrite: true })).toEqual(operations);
  });
});
