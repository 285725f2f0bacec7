import type { z } from 'zod';
import { because, EXPLANATIONS, type Explained } from './explanations/explanations.ts';

const TYPES: Readonly<Record<string, Explained>> = {
  array: because('expected_list'),
  object: because('expected_object'),
  record: because('expected_object'),
  int: because('expected_integer'),
  number: because('expected_number'),
  string: because('expected_text'),
  boolean: because('expected_flag'),
  null: because('expected_null'),
};

/**
 * Describes in a sentence why a value does not match its schema. It is passed as `error` to `safeParse`, so that messages of
 * the schema library never reach users. Schemas with their own message keep it.
 */
export function plainIssue(issue: z.core.$ZodRawIssue): string {
  return issueExplained(issue).detail;
}

/** Explains an issue of a value that was parsed with `reportInput`. */
export function issueExplained(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): Explained {
  const expected = (what: Explained): Explained => because('schema_expected', { expected: what });
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? because('schema_missing', { expected: typeExplained(issue.expected) })
        : expected(typeExplained(issue.expected));
    case 'invalid_value':
      return expected(oneOf(issue.values));
    case 'too_small':
      return expected(
        because(issue.inclusive === false ? 'expected_more' : 'expected_min', amount(issue.origin, issue.minimum)),
      );
    case 'too_big':
      return expected(
        because(issue.inclusive === false ? 'expected_less' : 'expected_max', amount(issue.origin, issue.maximum)),
      );
    case 'unrecognized_keys':
      return because('schema_key_unknown', { name: issue.keys[0]?.slice(0, 100) ?? '' });
    case 'not_multiple_of':
      return expected(because('expected_multiple', { number: issue.divisor }));
    case 'invalid_format':
      return issue.format === 'datetime' ? expected(because('expected_datetime')) : because('schema_form');
    case 'invalid_union':
      // With options, the value of the key that selects an option is unknown.
      return 'options' in issue && Array.isArray(issue.options)
        ? expected(oneOf(issue.options))
        : ofUnion(issue.errors);
    case 'custom':
      return customExplained(issue.params?.['explanation']);
    default:
      return because('schema_mismatch');
  }
}

function oneOf(values: readonly unknown[]): Explained {
  const choices = values.map(String).join(', ');
  return values.length === 1 ? { detail: choices } : because('expected_one_of', { choices });
}

/**
 * Explains why no option of a union fits: by the faults of the option with the type of the value, otherwise by the possible
 * types.
 */
function ofUnion(errors: readonly (readonly z.core.$ZodIssue[])[]): Explained {
  const types = errors.map(([issue]) =>
    issue?.code === 'invalid_type' && issue.path.length === 0 ? typeExplained(issue.expected) : undefined,
  );
  const [ofType, another] = errors.filter((_, index) => types[index] === undefined);
  const [issue] = ofType ?? [];
  if (!ofType) {
    const either = types
      .flatMap((type) => type ?? [])
      .reduce((first, second) => because('expected_either', { first, second }));
    return because('schema_expected', { expected: either });
  }
  return issue && !another ? issueExplained(issue) : because('schema_mismatch');
}

function typeExplained(type: string): Explained {
  return TYPES[type] ?? because('expected_other');
}

/** Explanation of a refinement: its message is a code without facts. */
function customExplained(code: unknown): Explained {
  const known = Object.entries(EXPLANATIONS).find(([name]) => name === code);
  return known ? { detail: known[1], explanation: { code: known[0], facts: {} } } : because('schema_mismatch');
}

/** Limit with its unit, such as `3 characters`. */
function amount(origin: string, bound: number | bigint): { readonly amount: number | Explained } {
  const count = Number(bound);
  if (origin === 'string') return { amount: because(count === 1 ? 'one_character' : 'characters', { count }) };
  if (origin === 'array' || origin === 'set') return { amount: because(count === 1 ? 'one_item' : 'items', { count }) };
  return { amount: count };
}
