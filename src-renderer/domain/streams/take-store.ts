import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

/** Question to the operator whether to put an input on air. */
interface TakeRequest {
  readonly name: string;
  /** Index of the input, from 0. */
  readonly input: number;
  readonly answer: (isTaken: boolean) => void;
}

/** The open question about an input, at most one. */
export const useTakeStore = defineStore('take', () => {
  const request = shallowRef<TakeRequest | null>(null);

  /** Shows the input to the operator; resolves with the answer. An open question is answered with no. */
  function requestAnswer(name: string, input: number): Promise<boolean> {
    request.value?.answer(false);
    return new Promise((resolve) => {
      request.value = { name, input, answer: resolve };
    });
  }

  function settle(isTaken: boolean): void {
    request.value?.answer(isTaken);
    request.value = null;
  }

  return { request, requestAnswer, settle };
});
