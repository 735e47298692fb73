import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconHourglass } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SsoTest } from '#contract/sso/sign-in.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { textsOf } from '../directory-kinds.ts';
import { hasPassed } from '../steps/states.ts';
import type { Sso } from '../queries.ts';
import { TestChecks } from './TestChecks.tsx';
import { TestClaims } from './TestClaims.tsx';
import { verdictOf } from './verdict.ts';
import { TurnOnButton } from '../steps/TurnOnButton.tsx';
import { useTests } from './use-tests.ts';

const looks = {
  good: { color: 'teal', icon: IconCircleCheck },
  bad: { color: 'red', icon: IconAlertTriangle },
  waiting: { color: 'yellow', icon: IconHourglass },
} as const;

/** The outcome of a test, what to do next, and the details. */
export function TestResult({
  orgId,
  connectionId,
  test,
  status,
  configuration,
}: {
  readonly test: SsoTest;
} & Pick<Sso, 'orgId' | 'connectionId' | 'status' | 'configuration'>): ReactNode {
  const navigate = useNavigate();
  const { tone, sentence, remedy } = verdictOf(test, textsOf(configuration));
  const guide =
    connectionId === undefined
      ? ({ to: paths.sso, params: { orgId } } as const)
      : ({ to: paths.ssoConnection, params: { orgId, connectionId } } as const);
  const again = useTests({ orgId, connectionId });
  const { color, icon: Icon } = looks[tone];
  const mayTurnOn = hasPassed(test) && configuration?.enabled === false;
  return (
    <Stack gap="lg">
      <Alert variant="default" icon={<Icon color={`var(--mantine-color-${color}-filled)`} />} role="status">
        <Text fw={600}>{sentence}</Text>
        {remedy !== '' && <Text>{remedy}</Text>}
      </Alert>
      {again.error !== null && <Failure error={again.error} />}
      <Group>
        {mayTurnOn && (
          <TurnOnButton
            sso={{ orgId, connectionId, status, configuration }}
            onDone={() => void navigate(guide)}
          />
        )}
        <Button
          variant={tone === 'bad' ? 'filled' : 'default'}
          loading={again.isStarting}
          onClick={again.start}
        >
          {t('Test again')}
        </Button>
        <Button renderRoot={(props) => <Link {...props} {...guide} />} variant="default">
          {t('Back to single sign-on')}
        </Button>
      </Group>
      {test.checks.length > 0 && (
        <Section title={t('Checks')}>
          <TestChecks checks={test.checks} />
        </Section>
      )}
      {test.state === 'done' && test.identity !== undefined && (
        <Section title={t('Identity')}>
          <Who test={test} />
        </Section>
      )}
      {test.claims !== undefined && (
        <Section
          title={t('Claims')}
          description={t(
            'What the directory sent about the person. The email address and roles are taken from these claims.',
          )}
        >
          <TestClaims claims={test.claims} />
        </Section>
      )}
    </Stack>
  );
}

function Who({ test: { account, email, role, identity } }: { readonly test: SsoTest }): ReactNode {
  const rows = [
    {
      name: t('Account'),
      value:
        account === undefined
          ? t('A new account would be created')
          : t('{name}, {email} (existing account)', { name: account.name, email: account.email }),
    },
    { name: t('Email'), value: email ?? t('None') },
    { name: t('Role'), value: role ?? t('None') },
    {
      name: t('Identified by'),
      value: t('{subject} at {issuer}', { subject: identity?.subject ?? '', issuer: identity?.issuer ?? '' }),
    },
  ];
  return (
    <Table>
      <Table.Tbody>
        {rows.map(({ name, value }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w={120}>
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
