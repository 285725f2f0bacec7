import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FailoverModel, type ModelPlan } from '../../tests/helpers/failover-model.ts';

/** Number of random sequences. Set AIRDESK_RUNS to test more of them. */
const RUNS = Number(process.env['AIRDESK_RUNS'] ?? 10_000);

const plans: fc.Arbitrary<ModelPlan> = fc.record({
  kinds: fc.array(fc.constantFrom('pull', 'pull', 'publish', 'held', 'held publish'), {
    minLength: 1,
    maxLength: 4,
  }),
  priorities: fc.constantFrom([1, 2, 3, 4], [4, 3, 2, 1], [1, 1, 2, 2]),
  hasBackup: fc.boolean(),
  retryLimit: fc.constantFrom(null, null, 2),
});

/** Two bytes per action: its kind, and the input or duration. */
const actions = fc.uint8Array({ maxLength: 40, size: 'max' });

/** Violated invariants after a sequence of actions. */
function faultsOf(plan: ModelPlan, bytes: ArrayLike<number>): readonly string[] {
  const model = new FailoverModel(plan);
  for (let index = 0; index + 1 < bytes.length; index += 2) model.act(bytes[index] ?? 0, bytes[index + 1] ?? 0);
  model.settle();
  model.close();
  return model.faults;
}

describe('the step function of the failover', () => {
  it('keeps the invariants of the model: at most one input on air, no gap while an input has frames, the selected input first, and no open input at the end', () => {
    fc.assert(
      fc.property(plans, actions, (plan, bytes) => {
        expect(faultsOf(plan, bytes)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('puts a selected input on air again when it is steady after a lost connection', () => {
    const plan: ModelPlan = {
      kinds: ['pull', 'pull', 'pull', 'pull'],
      priorities: [1, 2, 3, 4],
      hasBackup: true,
      retryLimit: null,
    };
    // Inputs 1 and 2 connect, 2 is selected, plays for 13.5 s, is ended by its peer and reconnects.
    const bytes = [90, 20, 170, 96, 165, 111, 70, 71, 110, 45, 110, 15, 62, 0, 54, 46, 3, 111];
    expect(faultsOf(plan, bytes)).toEqual([]);
  });
});
