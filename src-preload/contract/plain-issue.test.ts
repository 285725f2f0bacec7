import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { plainIssue } from './plain-issue.ts';

describe('plainIssue', () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.number(), undefined, 'This is missing: a number is needed'],
    [z.number(), 'x', 'Expected here is a number'],
    [z.int(), 1.5, 'Expected here is a whole number'],
    [z.string(), 5, 'Expected here is a text'],
    [z.boolean(), null, 'Expected here is true or false'],
    [z.object({}), [], 'Expected here is an object'],
    [z.array(z.string()), {}, 'Expected here is a list'],
    [z.record(z.string(), z.string()), 1, 'Expected here is an object'],
    [z.enum(['a', 'b']), 'c', 'Expected here is one of a, b'],
    [z.literal(1), 2, 'Expected here is 1'],
    [z.string().min(2), 'a', 'Expected here is at least 2 characters'],
    [z.array(z.string()).max(1), ['a', 'b'], 'Expected here is at most 1 item'],
    [z.number().positive(), 0, 'Expected here is more than 0'],
    [z.number().lt(5), 5, 'Expected here is less than 5'],
    [z.number().multipleOf(5), 4, 'Expected here is a multiple of 5'],
    [z.strictObject({}), { colour: 1 }, 'There is no key colour here'],
    [z.string().regex(/^a/), 'b', 'The text does not have the form that is expected here'],
    [z.string().min(1), '', 'Expected here is at least 1 character'],
    [z.iso.datetime(), '2027-01-15', 'Expected here is a time such as 2027-01-15T12:00:00Z'],
    [z.literal([1, 2]), 3, 'Expected here is one of 1, 2'],
    [z.union([z.string(), z.number()]), true, 'Expected here is a text or a number'],
    [z.union([z.array(z.string()).max(2), z.string()]), ['a', 'b', 'c'], 'Expected here is at most 2 items'],
    [z.union([z.array(z.string()), z.string().min(1)]), '', 'Expected here is at least 1 character'],
    [z.union([z.string().min(3), z.string().max(1)]), 'ab', 'The value does not fit here'],
    [z.string().min(2, 'Two letters, please'), 'a', 'Two letters, please'],
  ])('%# is a sentence', (schema, value, expected) => {
    expect(schema.safeParse(value, { error: plainIssue }).error?.issues.map(({ message }) => message)).toEqual([
      expected,
    ]);
  });
});
