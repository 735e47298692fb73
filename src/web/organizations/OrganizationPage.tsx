import { Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Organization } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { ApiProblem } from '../app/api.ts';
import { paths } from '../app/paths.ts';
import { Page } from '../ui/page/Page.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { Section } from '../ui/page/Section.tsx';
import { useOrganization } from '../ui/server-data/session.ts';
import { TimeAgo } from '../ui/text/TimeAgo.tsx';
import { DeleteOrganization } from './DeleteOrganization.tsx';
import { ExportOrganization, exportAnchor } from './ExportOrganization.tsx';
import { AuthenticationPolicy } from './authentication/AuthenticationPolicy.tsx';
import { authenticationPolicyQuery } from './authentication/queries.ts';
import { SecondFactorBanner } from './authentication/SecondFactorBanner.tsx';
import { LeaveOrganization } from './members/LeaveOrganization.tsx';
import { OrganizationLogo } from './OrganizationLogo.tsx';
import { OrganizationColors } from './OrganizationColors.tsx';
import { OrganizationName } from './OrganizationName.tsx';
import { OrganizationRegion } from './OrganizationRegion.tsx';
import { MemberTokens } from './service-accounts/MemberTokens.tsx';
import { ServiceAccounts } from './service-accounts/ServiceAccounts.tsx';
import { SessionPolicy } from './session-policy/SessionPolicy.tsx';
import { TokenPolicy } from './service-accounts/TokenPolicy.tsx';
import { rich } from '../ui/text/rich.tsx';
import { reasonAgainst } from '../ui/text/permissions.ts';
import { UsageFacts } from '../ui/usage/UsageFacts.tsx';
import { Webhooks } from './webhooks/Webhooks.tsx';
import { roleNames } from '../ui/text/roles.ts';
import { Waiting } from '../ui/page/Waiting.tsx';

/** The settings of an organization: its name, dates and numbers, logo, colors, service accounts, tokens, sessions, second factors, webhooks and usage. */
export function OrganizationPage(): ReactNode {
  const { orgId } = useParams({ from: paths.organization });
  const organization = useOrganization(orgId);
  const { error } = useQuery(authenticationPolicyQuery(orgId));
  if (error instanceof ApiProblem && error.code === 'second_factor_missing') {
    return (
      <Page title={t('Settings')} size="md">
        <Failure error={error} />
      </Page>
    );
  }
  return (
    <Page title={t('Settings')} size="md">
      {organization === undefined ? (
        <Waiting height={180} />
      ) : (
        <Stack gap="lg">
          <SecondFactorBanner organization={organization} />
          <Section title={t('Organization')}>
            <OrganizationName key={organization.id} organization={organization} />
            <Text size="sm" c="dimmed">
              {rich(
                'Created {time}. Your role is {role}. Its ID for the operator’s commands is <code>{id}</code>.',
                {
                  time: <TimeAgo at={organization.createdAt} />,
                  role: roleNames[organization.role],
                  id: organization.id,
                  code: (text) => <Code>{text}</Code>,
                },
              )}
            </Text>
          </Section>
          <Section title={t('Dates and numbers')}>
            <OrganizationRegion key={organization.id} organization={organization} />
          </Section>
          <Section title={t('Logo and colors')}>
            <OrganizationLogo organization={organization} />
            <OrganizationColors key={organization.id} organization={organization} />
          </Section>
          <Section
            title={t('Service accounts')}
            description={t(
              'Members that are programs. Each has a role and tokens of its own, and stays when the person who created it leaves.',
            )}
          >
            <ServiceAccounts organization={organization} />
          </Section>
          <Section title={t('Tokens')}>
            <TokenPolicy key={organization.id} organization={organization} />
            <MemberTokens organization={organization} />
          </Section>
          <Section
            title={t('Sessions')}
            description={t(
              'How long sessions that use this organization last, and from which addresses it can be used. A session that uses several organizations has the strictest limits of all of them.',
            )}
          >
            <SessionPolicy key={organization.id} organization={organization} />
          </Section>
          <Section
            title={t('Sign-in requirements')}
            description={t(
              'Second factors are for members who sign in with a password. The directory asks for its own.',
            )}
          >
            <AuthenticationPolicy key={organization.id} organization={organization} />
          </Section>
          <Section title={t('Webhooks')}>
            <Webhooks organization={organization} />
          </Section>
          <Section
            title={t('Usage')}
            description={t(
              'How much is stored, with what is in the trash. The operator of this server sets the limits.',
            )}
          >
            <OrganizationUsage organization={organization} />
          </Section>
          <div id={exportAnchor}>
            <Section title={t('Export')}>
              <ExportOrganization key={organization.id} organization={organization} />
            </Section>
          </div>
          <Section title={t('Leave')}>
            <LeaveOrganization organization={organization} />
          </Section>
          <Section title={t('Delete')}>
            <DeleteOrganization key={organization.id} organization={organization} />
          </Section>
        </Stack>
      )}
    </Page>
  );
}

/** The usage for admins, or why a member can't see it. */
function OrganizationUsage({
  organization: { id, role },
}: {
  readonly organization: Organization;
}): ReactNode {
  const reason = reasonAgainst('organization.change', role);
  return reason === undefined ? (
    <UsageFacts orgId={id} />
  ) : (
    <Text size="sm" c="dimmed">
      {reason}
    </Text>
  );
}
