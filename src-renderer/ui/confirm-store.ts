import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

/** Question before an action that viewers would notice. */
export interface ConfirmRequest {
  readonly title: string;
  readonly body: string;
  readonly confirmLabel: string;
  readonly isDestructive: boolean;
  readonly answer: (isConfirmed: boolean) => void;
}

/** The open question, at most one. */
export const useConfirmStore = defineStore('confirm', () => {
  const request = shallowRef<ConfirmRequest | null>(null);

  /** Asks the operator; resolves with the answer. A question that is still open is answered with no. */
  function requestAnswer(question: Omit<ConfirmRequest, 'answer'>): Promise<boolean> {
    request.value?.answer(false);
    return new Promise((resolve) => {
      request.value = { ...question, answer: resolve };
    });
  }

  function settle(isConfirmed: boolean): void {
    request.value?.answer(isConfirmed);
    request.value = null;
  }

  return { request, requestAnswer, settle };
});
