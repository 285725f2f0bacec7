import { computed } from 'vue';
import type { PushStateObject } from '../../../../src-preload/contract/api/push-object.ts';
import { destinationName } from '../../../domain/destinations/destination-words.ts';
import { PUSH_COLOURS, pushLight } from '../../../domain/destinations/push-light.ts';
import { useServerStore } from '../../../server/server-store.ts';
import { useNow } from '../../../server/use-now.ts';
import { useConfirmStore } from '../../../ui/confirm-store.ts';
import type { Plan } from './plan.ts';
import { TEXTS } from './texts.ts';
import { useDestinations } from './use-destinations.ts';

/**
 * Actions of operators on destinations, with their questions, for use inside a component.
 *
 * @param stream name of the stream
 * @param changed reads the destinations again after a change
 */
export function useDestinationActions(stream: () => string, changed: () => Promise<void>) {
  const server = useServerStore();
  const { epochMs } = useNow();
  /** Time of the server, epoch milliseconds. */
  const nowMs = computed(() => epochMs.value + server.clockOffsetMs);
  const confirm = useConfirmStore();
  const { isBusy, add, remove, switchTo, plan } = useDestinations(stream);

  /** Whether a destination neither sends nor tries to. */
  const isOff = (push: PushStateObject): boolean => PUSH_COLOURS[pushLight(push)] === 'off';
  async function isSure(title: string, body: string, confirmLabel: string, isDestructive = true): Promise<boolean> {
    return confirm.requestAnswer({ title, body, confirmLabel, isDestructive });
  }
  async function refreshed(isDone: boolean): Promise<boolean> {
    if (isDone) await changed();
    return isDone;
  }
  const idsOf = (pushes: readonly PushStateObject[]): string[] => pushes.map(({ id }) => id);

  return {
    isBusy,
    nowMs,
    mayChange: computed(() => server.may('configuration', 'edit')),
    isOff,
    add: async (url: string): Promise<boolean> => refreshed(await add(url, TEXTS.isAdded(destinationName({ url })))),
    /** Starts a destination now. A planned end that is still to come stays. */
    async start(push: PushStateObject): Promise<boolean> {
      const { id, stop_at: end } = push;
      const text = TEXTS.isStarted(destinationName(push));
      const isEndToCome = end !== null && end > nowMs.value;
      const isDone = isEndToCome
        ? plan(id, { startAtMs: null, stopAtMs: end, isOff: false }, text)
        : switchTo(true, [id], text);
      return refreshed(await isDone);
    },
    async stop(push: PushStateObject): Promise<boolean> {
      const name = destinationName(push);
      if (!(await isSure(TEXTS.stopQuestion(name), TEXTS.stopBody, TEXTS.stop))) return false;
      return refreshed(await switchTo(false, idsOf([push]), TEXTS.isStopped(name)));
    },
    async remove(push: PushStateObject): Promise<boolean> {
      const name = destinationName(push);
      if (!(await isSure(TEXTS.removeQuestion(name), TEXTS.removeBody, TEXTS.remove))) return false;
      return refreshed(await remove(push.id, TEXTS.isRemoved(name)));
    },
    async startAll(pushes: readonly PushStateObject[]): Promise<boolean> {
      const names = pushes.map(destinationName).join(', ');
      if (!(await isSure(TEXTS.startAllQuestion, TEXTS.startAllBody(names), TEXTS.startAll, false))) return false;
      return refreshed(await switchTo(true, idsOf(pushes), TEXTS.isStarted(TEXTS.all)));
    },
    async stopAll(pushes: readonly PushStateObject[]): Promise<boolean> {
      if (!(await isSure(TEXTS.stopAllQuestion, TEXTS.stopBody, TEXTS.stopAll))) return false;
      return refreshed(await switchTo(false, idsOf(pushes), TEXTS.isStopped(TEXTS.all)));
    },
    /** Stores a planned start and end. A destination that runs stops until its planned start. */
    plan: async (push: PushStateObject, times: Plan): Promise<boolean> =>
      refreshed(await plan(push.id, { ...times, isOff: false }, TEXTS.isPlanned(destinationName(push)))),
    /** Cancels a plan. A destination that waits for its planned start stays stopped; any other one continues. */
    cancelPlan: async (push: PushStateObject): Promise<boolean> => {
      const isOffNow = push.start_at !== null && push.start_at > nowMs.value;
      const none = { startAtMs: null, stopAtMs: null, isOff: isOffNow };
      return refreshed(await plan(push.id, none, TEXTS.isPlanCancelled(destinationName(push))));
    },
  };
}
