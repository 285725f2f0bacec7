import type { CallName, ErrorValue } from '../../../src-preload/contract/index.ts';
import type { DeskBridge, LinkState } from '../../../src-renderer/lib/link.ts';

/** A bridge without a server: it notes the calls and answers with what a test put in; an empty value where there is nothing. */
export class FakeBridge implements DeskBridge {
  readonly calls: (readonly [name: string, input: unknown])[] = [];
  readonly answers: Partial<Record<CallName, unknown>> = {};
  readonly errors: Partial<Record<CallName, ErrorValue>> = {};
  readonly link: LinkState = { phase: 'live', heardAtMs: 0, retryAtMs: null, mustLogIn: false };

  readonly call = ((name: CallName, input: unknown) => {
    this.calls.push([name, input]);
    const error = this.errors[name];
    return Promise.resolve(error ? { ok: false, error } : { ok: true, value: this.answers[name] ?? {} });
    // The answers of a test have no types of their own.
  }) as DeskBridge['call'];

  on(): () => void {
    return () => undefined;
  }

  onLink(): () => void {
    return () => undefined;
  }

  onInfo(): () => void {
    return () => undefined;
  }

  mediaBase(): string {
    return '';
  }

  retryNow(): void {
    // There is nothing to connect to.
  }

  close(): void {
    // There is nothing to close.
  }
}
