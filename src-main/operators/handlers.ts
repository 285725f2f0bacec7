import type { z } from 'zod';
import type { OperationTable } from '../../src-preload/contract/operations/operation.ts';
import type { Caller, ChangedBy } from './caller.ts';

/** Caller of an operation, whose rights were checked. */
export interface OperationContext {
  readonly caller: Caller;
  /** The caller as the author of a change. */
  readonly by: ChangedBy;
  /** Portal of the caller's key; absent for callers with a login. */
  readonly portal?: { readonly portalId: string; readonly keyName: string };
  /** Creates a signal that is aborted when the caller has left; absent if a caller cannot leave. */
  readonly left?: (() => AbortSignal) | undefined;
}

/** Result of a handler: the output of its operation, or no value if the output has no fields. */
type Result<Output> = Output extends Record<string, never> ? void : Output;

/** Handlers of operations. They raise `AirdeskError`. */
export type Handlers<T extends OperationTable> = {
  readonly [N in keyof T]: (
    input: z.output<T[N]['input']>,
    context: OperationContext,
  ) => Result<z.output<T[N]['output']>> | Promise<Result<z.output<T[N]['output']>>>;
};
