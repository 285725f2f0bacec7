import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CALLS } from '../../src-preload/contract/calls.ts';
import { domainOf } from '../../src-preload/contract/operation-domains.ts';
import type { OperationTable } from '../../src-preload/contract/operations/operation.ts';
import { ROLES, roleAllows, type Role } from '../../src-preload/contract/operations/roles.ts';
import type { Caller } from './caller.ts';
import { seesAll } from './complete-answers.ts';
import { isReadable } from './reader-view.ts';

const TABLE: OperationTable = CALLS;
const ANYONE: Caller = { mayRead: true, mayWrite: false, who: 'anyone', address: '' };
const person = (role: Role): Caller => ({ ...ANYONE, who: 'anna', role });

/** Texts that are masked for some roles: messages of other programs, which may contain addresses with passwords. */
const MASKED: Readonly<Record<string, readonly string[]>> = {
  'streams.list': ['.streams[].inputs[].last_error.detail', '.streams[].problems[].detail'],
  'streams.probe_input': ['.problems[].detail'],
  'alarms.list': ['.alarms[].detail'],
  'alarms.history': ['.alarms[].detail'],
  'alarms.acknowledge': ['.detail'],
  'alarms.shelve': ['.detail'],
  'events.sinks': ['.sinks[].last_error.message'],
  'system.state': ['.disks[].fault.message', '.alerts[].message'],
};

/** Paths of the texts in a schema that are masked for readers. */
function maskedTexts(schema: unknown, field = '', path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, enum: values, properties, items, anyOf, oneOf, allOf } = schema as z.core.JSONSchema.BaseSchema;
  return [
    ...(type === 'string' && !values && !isReadable(field) ? [path] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, one]) => maskedTexts(one, name, `${path}.${name}`)),
    ...maskedTexts(items, field, `${path}[]`),
    ...[anyOf, oneOf, allOf].flatMap((all) => (all ?? []).flatMap((one) => maskedTexts(one, field, path))),
  ];
}

describe('complete answers', () => {
  it('are sent to each role that may use an operation, except messages of other programs', () => {
    const masked = Object.entries(TABLE).flatMap(([name, { access, output }]) => {
      if (name === 'events.recent') return [];
      const isReduced = ROLES.some((role) => roleAllows(role, domainOf(name), access) && !seesAll(person(role), name));
      const texts = isReduced ? maskedTexts(z.toJSONSchema(output, { unrepresentable: 'any' })) : [];
      return texts.length > 0 ? [[name, texts] as const] : [];
    });
    expect(Object.fromEntries(masked)).toEqual(MASKED);
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
