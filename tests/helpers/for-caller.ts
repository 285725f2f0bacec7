import type { z } from 'zod';
import type { OperationTable } from '../../src-preload/contract/operations/operation.ts';
import { changedBy, type Caller } from '../../src-main/operators/caller.ts';
import type { Handlers, OperationContext } from '../../src-main/operators/handlers.ts';

type Bound<T extends OperationTable> = {
  readonly [N in keyof T]: (input: z.output<T[N]['input']>) => Promise<z.output<T[N]['output']>>;
};

/** Binds handlers to a caller, as the desk does. */
export function forCaller<T extends OperationTable>(handlers: Handlers<T>, caller: Caller): Bound<T> {
  const context = { caller, by: changedBy(caller, 'desk') };
  const bound = Object.entries(handlers).map(([name, handle]) => [
    name,
    async (input: never) => (await (handle as (input: never, by: OperationContext) => unknown)(input, context)) ?? {},
  ]);
  // The keys of the result are those of the handlers.
  return Object.fromEntries(bound) as Bound<T>;
}
