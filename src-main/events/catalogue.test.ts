import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { EVENT_DOCS_FILE, eventDocs } from '../../scripts/write-event-docs.ts';
import {
  EVENT_GROUPS,
  EVENTS,
  eventNames,
  eventSchemaOf,
  serverEventSchema,
  type EventKind,
} from '../../src-preload/contract/events/catalogue.ts';
import { COMMON_EVENT_FIELDS, type EventEntry } from '../../src-preload/contract/events/event-entry.ts';
import { parseConfig } from '../../tests/helpers/parse-config.ts';
import { filesUnder, isTest, parse, textOf } from '../../tests/architecture/source-files.ts';

const ENTRIES = Object.entries(EVENTS) as [EventKind, EventEntry][];

/** Text in every file that emits events; other files need not be parsed. */
const MAY_EMIT = /\b(emit|event|tell|notify|notice)\b/;

/**
 * Kinds of events that a file emits: the first argument of calls of `emit`, and `event: 'kind'` in notices of lower
 * folders.
 */
function emittedIn(file: ts.SourceFile): string[] {
  const kinds: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === 'emit'
    ) {
      const [first] = node.arguments;
      if (first && ts.isStringLiteral(first)) kinds.push(first.text);
    }
    if (
      ts.isPropertyAssignment(node) &&
      ts.isIdentifier(node.name) &&
      node.name.text === 'event' &&
      ts.isStringLiteral(node.initializer)
    )
      kinds.push(node.initializer.text);
    // The kind of an input notice is its first argument.
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      /^#?(tell|notify|notice)$/.test(node.expression.name.text)
    ) {
      for (const argument of node.arguments) if (ts.isStringLiteral(argument)) kinds.push(argument.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return kinds;
}

describe('the catalogue of events', () => {
  it('has no field with the name of a field common to all events', () => {
    const common = Object.keys(COMMON_EVENT_FIELDS);
    const hidden = ENTRIES.flatMap(([kind, { fields }]) =>
      ['event', ...common].filter((name) => name in fields).map((name) => `${kind}.${name}`),
    );
    expect(hidden).toEqual([]);
  });

  it('has every kind once, in a group', () => {
    const grouped = EVENT_GROUPS.flatMap(({ entries }) => Object.keys(entries));
    expect(grouped.toSorted()).toEqual(Object.keys(EVENTS).toSorted());
    expect(new Set(ENTRIES.flatMap(([kind]) => eventNames(kind))).size).toBe(
      ENTRIES.flatMap(([kind]) => eventNames(kind)).length,
    );
  });

  it('describes every kind and field', () => {
    for (const [kind, { doc, fields }] of ENTRIES) {
      expect(kind).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(doc, kind).toMatch(/^[A-Z].{15,}\.$/);
      for (const [name, schema] of Object.entries(fields))
        expect((schema as { description?: string }).description ?? '', `${kind}.${name}`).not.toBe('');
    }
  });

  it('marks exactly the emitted kinds as emitted', () => {
    const emitted = new Set(
      filesUnder('src-main', /\.ts$/)
        .filter((file) => !isTest(file) && MAY_EMIT.test(textOf(file)))
        .flatMap((file) => emittedIn(parse(file))),
    );
    expect(
      ENTRIES.filter(([kind, { isPlanned = false }]) => isPlanned === emitted.has(kind)).map(([kind]) => kind),
    ).toEqual([]);
  });

  it('allows flat events only, except for some fields', () => {
    const event = {
      event: 'publish_closed',
      event_id: 1,
      utc_ms: 2,
      server: 's',
      media: 'a',
      code: null,
      lifetime_ms: 3,
    };
    expect(serverEventSchema.safeParse(event).success).toBe(true);
    expect(eventSchemaOf('publish_closed').safeParse(event).success).toBe(true);
    expect(eventSchemaOf('publish_closed').safeParse({ ...event, other: 1 }).success).toBe(false);
    expect(serverEventSchema.safeParse({ ...event, other: [1] }).success).toBe(false);
    expect(serverEventSchema.safeParse({ ...event, other: { a: {} } }).success).toBe(false);
    expect(eventSchemaOf('publish_closed').safeParse({ ...event, code: { a: 1 } }).success).toBe(false);
  });
});

describe('docs/reference/events.md', () => {
  it('matches the catalogue', () => {
    expect(readFileSync(EVENT_DOCS_FILE, 'utf8')).toBe(eventDocs());
  });

  it('has a valid example', () => {
    const [, example = '}'] = /```\n([^]*?)\n```/.exec(eventDocs()) ?? [];
    expect(parseConfig(example)).toMatchObject({ errors: [], warnings: [] });
  });
});
