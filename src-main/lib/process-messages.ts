/** Request of a thread that is not allowed to start processes. All processes are codec processes of the same build. */
export type ProcessRequest =
  | { readonly kind: 'process-start'; readonly id: number; readonly environment: Readonly<Record<string, string>> }
  | { readonly kind: 'process-kill'; readonly id: number };

/** Events of the requested processes. `process-ended` is the last event of a process. */
export type ProcessEvent =
  | { readonly kind: 'process-started'; readonly id: number; readonly pid: number }
  | { readonly kind: 'process-output'; readonly id: number; readonly text: string }
  | { readonly kind: 'process-ended'; readonly id: number; readonly how: string };
