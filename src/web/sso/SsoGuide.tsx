import { Accordion, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ConnectStep } from './steps/ConnectStep.tsx';
import { textsOf } from './directory-kinds.ts';
import { DomainsStep } from './steps/DomainsStep.tsx';
import { EnableStep } from './steps/EnableStep.tsx';
import { MigrationCard } from './migration/MigrationCard.tsx';
import { RegisterStep } from './steps/RegisterStep.tsx';
import { RequireStep } from './steps/RequireStep.tsx';
import { RolesStep } from './steps/RolesStep.tsx';
import { StatusBanner } from './StatusBanner.tsx';
import { Step } from './steps/Step.tsx';
import { hasPassed, stepNames, stepStates, type StepName } from './steps/states.ts';
import { TestStep } from './steps/TestStep.tsx';
import type { Sso } from './queries.ts';
import { listed, verifiedDomains } from './status-message.ts';
import { useDraft } from './connection/use-draft.ts';
import { useTests } from './test/use-tests.ts';

/** The status and all steps, which can be done in any order. */
export function SsoGuide({ sso }: { readonly sso: Sso }): ReactNode {
  const { connectionId, status, configuration, policy } = sso;
  const isFirst = connectionId === undefined;
  const draftState = useDraft(sso);
  const tests = useTests(sso);
  const { lastTest } = tests;
  const isTested = hasPassed(lastTest) || status.lastSuccess !== undefined;
  const states = stepStates(sso, lastTest);
  // Open steps are expanded at first. Later, nothing expands or collapses by itself.
  const [open, setOpen] = useState<string[]>(() =>
    stepNames.filter((name) => states[name] === 'todo' || states[name] === 'attention'),
  );
  const step = (name: StepName) => ({ name, number: stepNames.indexOf(name) + 1, state: states[name] });
  const verified = verifiedDomains(status);
  return (
    <Stack>
      <StatusBanner sso={sso} isTested={isTested} />
      {isFirst && configuration !== undefined && <MigrationCard sso={sso} />}
      <Accordion multiple value={open} onChange={setOpen} order={2} transitionDuration={0}>
        <Step {...step('register')} title={t('Register Atrium in your directory')}>
          <RegisterStep sso={sso} draftState={draftState} />
        </Step>
        <Step
          {...step('connect')}
          title={t('Enter the app details')}
          summary={configuration === undefined ? undefined : textsOf(configuration).name}
        >
          <ConnectStep sso={sso} draftState={draftState} />
        </Step>
        <Step
          {...step('domains')}
          title={t('Verify your email domain')}
          summary={verified.length > 0 ? listed(verified) : undefined}
        >
          <DomainsStep sso={sso} />
        </Step>
        <Step {...step('test')} title={t('Test a sign-in')}>
          <TestStep sso={sso} tests={tests} />
        </Step>
        <Step
          {...step('roles')}
          title={t('Roles')}
          summary={
            policy.roleMappings.length > 0
              ? t('{count} mapped', { count: policy.roleMappings.length })
              : t('new people get the {defaultRole} role', { defaultRole: policy.defaultRole })
          }
        >
          <RolesStep sso={sso} />
        </Step>
        <Step
          {...step('enable')}
          title={t('Turn on')}
          summary={configuration?.enabled === true ? 'on' : 'off'}
        >
          <EnableStep sso={sso} isTested={isTested} />
        </Step>
        {isFirst && (
          <Step
            {...step('require')}
            title={t('Require single sign-on')}
            summary={policy.requireSso ? t('passwords don’t work') : t('passwords work, too')}
          >
            <RequireStep sso={sso} />
          </Step>
        )}
      </Accordion>
    </Stack>
  );
}
