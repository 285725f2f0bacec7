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
const NO_FIT = 'The value does not fit here';

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
      const choices = issue.values.map(String).join(', ');
      return issue.values.length === 1 ? `Expected here is ${String(only)}` : `Expected here is one of ${choices}`;
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
      return issue.format === 'datetime'
        ? 'Expected here is a time such as 2027-01-15T12:00:00Z'
        : 'The text does not have the form that is expected here';
    case 'invalid_union':
      return ofUnion(issue.errors);
    default:
      return NO_FIT;
  }
}

/** Explains why no option of a union fits: the faults for the option of its type, otherwise the possible types. */
function ofUnion(errors: readonly (readonly z.core.$ZodIssue[])[]): string {
  const types = errors.map(([issue]) =>
    issue?.code === 'invalid_type' && issue.path.length === 0 ? (TYPES[issue.expected] ?? 'another value') : undefined,
  );
  const [ofType, another] = errors.filter((_, index) => types[index] === undefined);
  if (!ofType) return `Expected here is ${types.join(' or ')}`;
  return another ? NO_FIT : (ofType[0]?.message ?? NO_FIT);
}

/** Prints a bound: `at least 3 characters`. */
function amount(origin: string, inclusive: string, exclusive: string | undefined, bound: number | bigint): string {
  const unit = origin === 'string' ? ' character' : origin === 'array' || origin === 'set' ? ' item' : '';
  return `${exclusive ?? inclusive} ${bound}${unit}${unit === '' || Number(bound) === 1 ? '' : 's'}`;
}
