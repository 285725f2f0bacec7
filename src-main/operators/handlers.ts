import type { z } from 'zod';
import type { OperationTable } from '../../src-preload/contract/operations/operation.ts';
import type { Caller } from './caller.ts';

/** Handlers of operations, for callers whose rights were checked. They raise `AirdeskError`. */
export type Handlers<T extends OperationTable> = {
  readonly [N in keyof T]: (input: z.output<T[N]['input']>, caller: Caller) => Promise<z.output<T[N]['output']>>;
};

/** Handlers for one caller. */
export function forCaller<T extends OperationTable>(
  handlers: Handlers<T>,
  caller: Caller,
): { readonly [N in keyof T]: (input: z.output<T[N]['input']>) => Promise<z.output<T[N]['output']>> } {
  type Bound = ReturnType<typeof forCaller<T>>;
  const bound = Object.entries(handlers).map(([name, handle]) => [
    name,
    (input: never) => (handle as (input: never, caller: Caller) => unknown)(input, caller),
  ]);
  // The keys are those of the handlers.
  return Object.fromEntries(bound) as Bound;
}
