import { Code, Skeleton, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../app/paths.ts';
import { Page } from '../ui/page/Page.tsx';
import { Section } from '../ui/page/Section.tsx';
import { useOrganization } from '../ui/server-data/session.ts';
import { TimeAgo } from '../ui/text/TimeAgo.tsx';
import { LeaveOrganization } from './members/LeaveOrganization.tsx';
import { OrganizationColors } from './OrganizationColors.tsx';
import { OrganizationName } from './OrganizationName.tsx';
import { OrganizationRegion } from './OrganizationRegion.tsx';

/** Renames an organization, changes how it writes dates and numbers and its colors, or leaves it. */
export function OrganizationPage(): ReactNode {
  const { orgId } = useParams({ from: paths.organization });
  const organization = useOrganization(orgId);
  return (
    <Page title="Settings" size="md">
      {organization === undefined ? (
        <Skeleton h={180} aria-label="Loading the organization" />
      ) : (
        <Stack gap="lg">
          <Section title="Organization">
            <OrganizationName key={organization.id} organization={organization} />
            <Text size="sm" c="dimmed">
              Created <TimeAgo at={organization.createdAt} />. Your role is {organization.role}. Its ID for
              the operator’s commands is <Code>{organization.id}</Code>.
            </Text>
          </Section>
          <Section title="Dates and numbers">
            <OrganizationRegion key={organization.id} organization={organization} />
          </Section>
          <Section title="Colors">
            <OrganizationColors key={organization.id} organization={organization} />
          </Section>
          <Section title="Leave">
            <LeaveOrganization organization={organization} />
          </Section>
        </Stack>
      )}
    </Page>
  );
}
