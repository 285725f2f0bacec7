import { computed, ref, type ComputedRef, type Ref } from 'vue';
import type { DeskLogin, LoginOutcome } from '../lib/desk-login.ts';
import { useNow } from '../server/use-now.ts';
import { TEXTS } from './texts.ts';

/** Login form: input, messages and submission. */
export interface LoginForm {
  readonly name: Ref<string>;
  readonly password: Ref<string>;
  /** Message with a remedy; empty if there is none. */
  readonly problem: ComputedRef<string>;
  readonly isBusy: Ref<boolean>;
  /** Whether submission makes sense at present. */
  readonly maySend: ComputedRef<boolean>;
  /** Logs in. Resolves to true after a success. */
  send(): Promise<boolean>;
}

/**
 * Form state of a login. A wrong login cannot be sent again unchanged. After too many wrong logins, no login can be sent before
 * the waiting time is over.
 */
export function useLogin(login: Pick<DeskLogin, 'logIn'>): LoginForm {
  const [name, password] = [ref(''), ref('')];
  const outcome = ref<LoginOutcome>({ kind: 'done' });
  const isBusy = ref(false);
  const nextMs = ref(0);
  const { epochMs } = useNow();
  const waitSeconds = computed(() => Math.max(0, Math.ceil((nextMs.value - epochMs.value) / 1000)));
  const wrong = ref('');
  const typed = computed(() => `${name.value}\n${password.value}`);
  const problem = computed(() => {
    const was = outcome.value;
    if (was.kind === 'wrong') return wrong.value === typed.value ? TEXTS.login.wrong : '';
    if (was.kind === 'wait') return waitSeconds.value > 0 ? TEXTS.login.wait(waitSeconds.value) : '';
    if (was.kind === 'refused') return TEXTS.login.refused(was.status);
    return was.kind === 'unreachable' ? TEXTS.login.unreachable : '';
  });
  const maySend = computed(() => name.value !== '' && wrong.value !== typed.value && waitSeconds.value === 0);

  async function send(): Promise<boolean> {
    if (!maySend.value || isBusy.value) return false;
    const sent = typed.value;
    isBusy.value = true;
    outcome.value = await login.logIn(name.value, password.value);
    isBusy.value = false;
    if (outcome.value.kind === 'wrong') wrong.value = sent;
    if (outcome.value.kind === 'wait') nextMs.value = Date.now() + outcome.value.seconds * 1000;
    return outcome.value.kind === 'done';
  }
  return { name, password, problem, isBusy, maySend, send };
}
