import type { SsoTest } from '#contract/sso/sign-in.ts';
import { blockingReasons } from '../status-message.ts';
import type { Sso } from '../queries.ts';

export const stepNames = ['register', 'connect', 'domains', 'test', 'roles', 'enable', 'require'] as const;
export type StepName = (typeof stepNames)[number];

/** The progress of a step. `attention`: it was done, but something is wrong. */
export type StepState = 'done' | 'todo' | 'attention' | 'optional';

/** Whether a test has passed all its checks. */
export const hasPassed = (test: SsoTest | undefined): boolean =>
  test?.state === 'done' && test.checks.length > 0 && test.checks.every(({ passed }) => passed);

/** Returns the progress of each step. `lastTest`: the last one that this browser started. */
export function stepStates(
  { status, configuration, policy }: Sso,
  lastTest: SsoTest | undefined,
): Readonly<Record<StepName, StepState>> {
  const codes = new Set(status.reasons.map(({ code }) => code));
  const hasSecretTrouble = [
    'secret_expired',
    'secret_expires_soon',
    'certificate_expired',
    'certificate_expires_soon',
    'owner_not_approved',
  ].some((code) => codes.has(code));
  const blocked = blockingReasons(status).filter(({ code }) => code !== 'no_proven_domain');
  const isVerified = status.domains.some(({ state }) => state === 'proven');
  const hasComeBack = status.lastSuccess !== undefined || lastTest?.state === 'done';
  return {
    register: lastTest?.state === 'waiting' ? 'attention' : hasComeBack ? 'done' : 'todo',
    connect:
      configuration === undefined ? 'todo' : blocked.length > 0 || hasSecretTrouble ? 'attention' : 'done',
    domains: codes.has('domain_record_missing') ? 'attention' : isVerified ? 'done' : 'todo',
    test:
      hasPassed(lastTest) || (lastTest === undefined && status.lastSuccess !== undefined)
        ? 'done'
        : lastTest?.state === 'done'
          ? 'attention'
          : 'todo',
    roles: policy.roleMappings.length > 0 ? 'done' : 'optional',
    enable: status.state === 'off' ? 'todo' : status.state === 'ready' ? 'done' : 'attention',
    require: policy.requireSso ? 'done' : 'optional',
  };
}
