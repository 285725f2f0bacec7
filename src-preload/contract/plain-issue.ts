import type { z } from 'zod';

const TYPES: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object',
  record: 'an object',
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  null: 'null',
};

/**
 * Describes in a sentence why a value does not match its schema. Passed as `error` to `safeParse`, so that messages of the schema
 * library never reach users; schemas with a message of their own keep it.
 */
export function plainIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type': {
      const expected = TYPES[issue.expected] ?? 'another value';
      return issue.input === undefined ? `This is missing: ${expected} is needed` : `Expected here is ${expected}`;
    }
    case 'invalid_value': {
      const [only] = issue.values;
      const words = issue.values.map(String).join(', ');
      return issue.values.length === 1 ? `Expected here is ${String(only)}` : `Expected here is one of ${words}`;
    }
    case 'too_small':
      return `Expected here is ${amount(issue.origin, 'at least', issue.inclusive === false ? 'more than' : undefined, issue.minimum)}`;
    case 'too_big':
      return `Expected here is ${amount(issue.origin, 'at most', issue.inclusive === false ? 'less than' : undefined, issue.maximum)}`;
    case 'unrecognized_keys':
      return `There is no key ${issue.keys[0]?.slice(0, 100) ?? ''} here`;
    case 'not_multiple_of':
      return `Expected here is a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return 'The text does not have the form that is expected here';
    default:
      return 'The value does not fit here';
  }
}

/** Prints a bound: `at least 3 characters`. */
function amount(origin: string, inclusive: string, exclusive: string | undefined, bound: number | bigint): string {
  const unit = origin === 'string' ? ' characters' : origin === 'array' || origin === 'set' ? ' items' : '';
  return `${exclusive ?? inclusive} ${bound}${unit}`;
}
