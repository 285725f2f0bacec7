import { ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';
import type { CallInput, CallName, ErrorValue } from '../../../src-preload/contract/index.ts';
import type { DeskSessionObject, PersonObject } from '../../../src-preload/contract/operations/people.ts';
import { errorSentence } from '../../lib/error-advice.ts';
import { useBridge } from '../../server/bridge.ts';
import { useWhileLive } from '../../server/use-while-live.ts';
import { REFUSALS } from './texts.ts';

/** Calls that change people. */
type PeopleChange = Extract<CallName, `people.${string}`>;

/** Changes people and loads the list again. Returns the reason of a refusal; empty after success. */
export type ChangePeople = <N extends PeopleChange>(name: N, input: CallInput<N>) => Promise<string>;

/** State and actions of the people page. */
export interface ShownPeople {
  /** People in the order of their logins; undefined before the first answer. */
  readonly people: ShallowRef<readonly PersonObject[] | undefined>;
  /** Sessions, the last used first. */
  readonly sessions: ShallowRef<readonly DeskSessionObject[]>;
  readonly failure: Ref<string>;
  load(): Promise<void>;
  readonly change: ChangePeople;
}

const POLL_MS = 5_000;

/** Describes a refusal in the language of the desk. */
function refusalText(error: ErrorValue): string {
  return error.code in REFUSALS ? String(Reflect.get(REFUSALS, error.code)) : errorSentence(error);
}

/** People and sessions, polled every five seconds, for use inside a component. @param mayLoad whether the login may see them */
export function usePeople(mayLoad: () => boolean): ShownPeople {
  const bridge = useBridge();
  const people = shallowRef<readonly PersonObject[]>();
  const sessions = shallowRef<readonly DeskSessionObject[]>([]);
  const failure = ref('');

  async function load(): Promise<void> {
    if (!mayLoad()) return;
    const [all, open] = await Promise.all([bridge.call('people.list', {}), bridge.call('people.sessions', {})]);
    if (all.ok) people.value = all.value.people;
    if (open.ok) sessions.value = open.value.sessions;
    failure.value = all.ok ? (open.ok ? '' : errorSentence(open.error)) : errorSentence(all.error);
  }
  useWhileLive(() => void load(), POLL_MS);
  // The rights of the login become known after the connection is established.
  watch(mayLoad, () => void load());

  return {
    people,
    sessions,
    failure,
    load,
    async change(name, input) {
      const reply = await bridge.call(name, input);
      await load();
      return reply.ok ? '' : refusalText(reply.error);
    },
  };
}
