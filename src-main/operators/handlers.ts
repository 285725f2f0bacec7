import type { z } from 'zod';
import type { OperationTable } from '../../src-preload/contract/operations/operation.ts';
import { changedBy, type Caller, type ChangedBy } from './caller.ts';

/** Caller of an operation, whose rights were checked. */
export interface OperationContext {
  readonly caller: Caller;
  /** The caller as the author of a change. */
  readonly by: ChangedBy;
  /** Portal of the caller's key; absent for callers with a login. */
  readonly portal?: { readonly portalId: string; readonly keyName: string };
}

/** Handlers of operations. They raise `AirdeskError`. */
export type Handlers<T extends OperationTable> = {
  readonly [N in keyof T]: (
    input: z.output<T[N]['input']>,
    context: OperationContext,
  ) => z.output<T[N]['output']> | Promise<z.output<T[N]['output']>>;
};

/** Handlers for one caller of the desk. */
export function forCaller<T extends OperationTable>(
  handlers: Handlers<T>,
  caller: Caller,
): { readonly [N in keyof T]: (input: z.output<T[N]['input']>) => Promise<z.output<T[N]['output']>> } {
  type Bound = ReturnType<typeof forCaller<T>>;
  const context = { caller, by: changedBy(caller, 'desk') };
  const bound = Object.entries(handlers).map(([name, handle]) => [
    name,
    async (input: never) => (handle as (input: never, context: OperationContext) => unknown)(input, context),
  ]);
  // The keys are those of the handlers.
  return Object.fromEntries(bound) as Bound;
}
