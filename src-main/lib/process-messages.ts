/** What a thread asks for that may not start processes itself. The process that is meant is the codec process of the build. */
export type ProcessRequest =
  | { readonly kind: 'process-start'; readonly id: number; readonly environment: Readonly<Record<string, string>> }
  | { readonly kind: 'process-kill'; readonly id: number };

/** What it hears of the processes that it asked for. `process-ended` comes once, last. */
export type ProcessNews =
  | { readonly kind: 'process-started'; readonly id: number; readonly pid: number }
  | { readonly kind: 'process-output'; readonly id: number; readonly text: string }
  | { readonly kind: 'process-ended'; readonly id: number; readonly how: string };
