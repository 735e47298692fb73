import type { PlanContext, Section, Step } from '../../plan.ts';
import { requiresConfirmation } from '../confirmation.ts';
import { firstDirectory } from './first.ts';
import { furtherDirectories } from './further.ts';

/** Single sign-on: the first directory with the sign-in policy, and further directories. */
export const sso: Section = {
  formats: [...firstDirectory.formats, ...furtherDirectories.formats],

  read: async (scope, before) => [
    ...(await firstDirectory.read(scope, before)),
    ...(await furtherDirectories.read(scope, before)),
  ],

  async plan(context, files) {
    const first = await firstDirectory.plan(context, files);
    const further = await furtherDirectories.plan(context, files);
    const steps = [...first.steps, ...further.steps];
    return {
      steps,
      unchanged: first.unchanged + further.unchanged,
      faults: [...first.faults, ...further.faults, ...(await findConfirmationFaults(context, steps))],
    };
  },
};

/** Returns the fault if the organization requires a confirmation of identity for the changes. */
async function findConfirmationFaults(context: PlanContext, steps: readonly Step[]): Promise<string[]> {
  if (steps.length === 0 || !(await requiresConfirmation(context))) return [];
  return [
    'single sign-on: the organization requires a confirmation of identity for its changes, which a token can’t give. ' +
      'Make these changes in the browser, or ask an owner to turn off “Confirm identity before changes of single sign-on” while you push. ' +
      'To push the rest, push the other kinds one by one, such as with atrium dashboards push.',
  ];
}
