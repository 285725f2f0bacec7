import type { StreamState } from '../../../src-preload/contract/index.ts';
import { passwordWeakness } from '../../../src-preload/contract/password-rules.ts';
import { WEAKNESSES } from '../../lib/error-texts.ts';
import { useStreamsStore } from '../../domain/streams/store.ts';
import { checkForm } from '../../domain/streams/add-form.ts';
import { changesOpenPort, portProblem, VIEWER, type FirstSteps } from './first-steps-text.ts';
import { TEXTS } from './texts.ts';

/** Messages about answers of a step, by the field concerned. */
export type StepProblems = Partial<Record<keyof FirstSteps, string>>;

const MAX_DAYS = 3650;

/**
 * Message about a password that is easily guessed; undefined for a good password and for none.
 * @param other text it must differ from
 */
function passwordProblem(password: string, login: string, other = ''): string | undefined {
  if (password === '') return undefined;
  const weakness = passwordWeakness(password, login);
  if (weakness) return WEAKNESSES[weakness];
  return password.toLowerCase() === other.toLowerCase() ? TEXTS.samePassword : undefined;
}

/** Messages about each of the three steps; an empty object for a valid step. */
export function stepProblems(steps: FirstSteps): readonly [StepProblems, StepProblems, StepProblems] {
  const [http, rtmp] = [portProblem(steps.httpPort, true), portProblem(steps.rtmpPort, false)];
  const isSame = steps.httpPort.trim() === steps.rtmpPort.trim();
  const [password, viewPassword] = [
    passwordProblem(steps.password, steps.login.trim()),
    passwordProblem(steps.viewPassword, VIEWER, steps.password),
  ];
  const access: StepProblems = {
    ...(http ? { httpPort: http } : {}),
    ...(rtmp ? { rtmpPort: rtmp } : isSame ? { rtmpPort: TEXTS.ownPort } : {}),
    ...(password ? { password } : {}),
    ...(viewPassword ? { viewPassword } : {}),
    ...(steps.password !== '' && steps.login.trim() === '' ? { login: TEXTS.needsLogin } : {}),
  };
  const days = Number(steps.days);
  const isLength = Number.isInteger(days) && days >= 1 && days <= MAX_DAYS;
  const archive: StepProblems = isLength ? {} : { days: TEXTS.badDays(MAX_DAYS) };
  if (steps.streamName.trim() === '') return [access, archive, {}];
  const isPublish = steps.streamInput.trim() === 'publish://';
  const { name, address } = checkForm({
    source: isPublish ? 'publish' : 'pull',
    name: steps.streamName,
    address: steps.streamInput,
    webKind: null,
    settings: [],
  });
  return [access, archive, { ...(name ? { streamName: name } : {}), ...(address ? { streamInput: address } : {}) }];
}

/**
 * Describes who is disconnected when the first steps change the ports; for use inside a component. Returns a function
 * of the present configuration and the answers; its text is empty if nobody is disconnected.
 */
export function usePortChange(): (text: string, steps: FirstSteps) => string {
  const streams = useStreamsStore();
  return (text, steps) => {
    if (!changesOpenPort(text, steps)) return '';
    const states = [...streams.byName.values()].map(({ state }) => state);
    const encoders = states.filter(isPublished).length;
    const viewers = states.reduce((sum, { client_count: count }) => sum + count, 0);
    return encoders + viewers === 0 ? '' : TEXTS.disconnects(encoders, viewers);
  };
}

function isPublished({ alive, inputs, active_input: active }: StreamState): boolean {
  return alive && active !== null && inputs[active]?.url.startsWith('publish://') === true;
}
