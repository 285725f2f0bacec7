import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { plainIssue } from './plain-issue.ts';

describe('plainIssue', () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.number(), undefined, 'Missing; expected a number'],
    [z.number(), 'x', 'Expected a number'],
    [z.int(), 1.5, 'Expected a whole number'],
    [z.string(), 5, 'Expected a text'],
    [z.boolean(), null, 'Expected true or false'],
    [z.object({}), [], 'Expected an object'],
    [z.array(z.string()), {}, 'Expected a list'],
    [z.record(z.string(), z.string()), 1, 'Expected an object'],
    [z.enum(['a', 'b']), 'c', 'Expected one of a, b'],
    [z.literal(1), 2, 'Expected 1'],
    [z.string().min(2), 'a', 'Expected at least 2 characters'],
    [z.array(z.string()).max(1), ['a', 'b'], 'Expected at most 1 item'],
    [z.number().positive(), 0, 'Expected more than 0'],
    [z.number().lt(5), 5, 'Expected less than 5'],
    [z.number().multipleOf(5), 4, 'Expected a multiple of 5'],
    [z.strictObject({}), { colour: 1 }, 'There is no key colour here'],
    [z.string().regex(/^a/), 'b', 'The text does not have the expected form'],
    [z.string().min(1), '', 'Expected at least 1 character'],
    [z.iso.datetime(), '2027-01-15', 'Expected a time such as 2027-01-15T12:00:00Z'],
    [z.literal([1, 2]), 3, 'Expected one of 1, 2'],
    [z.union([z.string(), z.number()]), true, 'Expected a text or a number'],
    [z.union([z.array(z.string()).max(2), z.string()]), ['a', 'b', 'c'], 'Expected at most 2 items'],
    [z.union([z.array(z.string()), z.string().min(1)]), '', 'Expected at least 1 character'],
    [z.union([z.string().min(3), z.string().max(1)]), 'ab', 'The value does not fit here'],
    [
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
      { kind: 'c' },
      'Expected one of a, b',
    ],
    [z.string().min(2, 'Two letters, please'), 'a', 'Two letters, please'],
  ])('prints issue %# as a sentence', (schema, value, expected) => {
    expect(schema.safeParse(value, { error: plainIssue }).error?.issues.map(({ message }) => message)).toEqual([
      expected,
    ]);
  });
});
