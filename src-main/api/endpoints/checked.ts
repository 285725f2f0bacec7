import type { z } from 'zod';
import { AirdeskError, badParameter } from '../../../src-preload/contract/index.ts';
import { plainIssue } from '../../../src-preload/contract/plain-issue.ts';
import type { QueryParameter } from './query-string.ts';

/** Parses the parameters of a query by a schema. Raises `bad_query` for the first invalid parameter. */
export function queryOf<S extends z.ZodType>(schema: S, query: readonly QueryParameter[]): z.output<S> {
  const values = Object.fromEntries(query.map(({ name, value }) => [name, value ?? '']));
  const parsed = schema.safeParse(values, { error: plainIssue });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badParameter(issue?.path.join('.') ?? '', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is invalid'}`);
}

/** Parses a body by a schema. Raises `bad_value` for the first invalid value, `unknown_key` for unknown keys. */
export function bodyOf<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body, { error: plainIssue });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const isUnknown = issue?.code === 'unrecognized_keys';
  const path = [...(issue?.path ?? []), ...(isUnknown ? issue.keys.slice(0, 1) : [])];
  const pointer = path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  throw new AirdeskError(isUnknown ? 'unknown_key' : 'bad_value', issue?.message ?? 'is invalid', { pointer });
}
