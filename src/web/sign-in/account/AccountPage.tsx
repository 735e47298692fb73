import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Account, Session } from '#contract/accounts/sessions.ts';
import { t } from '#shared/language/messages.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { UsageFacts } from '../../ui/usage/UsageFacts.tsx';
import { accountQuery, sessionQuery } from '../../ui/server-data/session.ts';
import { ChartPatterns } from './ChartPatterns.tsx';
import { CommentMails } from './CommentMails.tsx';
import { DeletedOrganizations } from './DeletedOrganizations.tsx';
import { YourData } from './your-data/YourData.tsx';
import { PasswordChange } from './PasswordChange.tsx';
import { PersonalTokens } from './PersonalTokens.tsx';
import { Profile } from './Profile.tsx';
import { SecondFactors } from './second-factors/SecondFactors.tsx';
import { Sessions } from './Sessions.tsx';

/** Your profile, your password, your sessions and your tokens. */
export function AccountPage(): ReactNode {
  const account = useQuery(accountQuery);
  const { data: signedIn } = useQuery(sessionQuery);
  return (
    <Page title={t('Account')} size="md">
      {account.error !== null ? (
        <Failure error={account.error} retry={() => void account.refetch()} />
      ) : (
        <Stack gap="lg">
          <Section title={t('Profile')}>
            {account.data === undefined || signedIn === undefined ? (
              <Skeleton h={150} />
            ) : (
              <Profile
                user={account.data.user}
                isEmailVerified={account.data.emailVerified !== false}
                reason={reasonOfSession(account.data, signedIn.session)}
              />
            )}
          </Section>
          <Section title={t('Emails')}>
            {account.data === undefined ? (
              <Skeleton h={40} />
            ) : (
              <CommentMails isOn={account.data.commentMails} />
            )}
          </Section>
          <Section title={t('Charts')}>
            <ChartPatterns />
          </Section>
          <Section title={t('Password')}>
            {account.data === undefined || signedIn === undefined ? (
              <Skeleton h={230} />
            ) : (
              <PasswordChange
                email={account.data.user.email}
                reason={reasonOfPassword(account.data) ?? reasonOfSession(account.data, signedIn.session)}
              />
            )}
          </Section>
          <Section
            title={t('Passkeys and two-factor authentication')}
            description={t(
              'With a passkey or an authenticator app, your password is not enough to sign in to your account. A passkey also signs you in without the password. Signing in through a directory uses neither.',
            )}
          >
            {account.data === undefined || signedIn === undefined ? (
              <Skeleton h={60} />
            ) : (
              <OwnSecondFactors account={account.data} session={signedIn.session} />
            )}
          </Section>
          <Section
            title={t('Sessions')}
            description={t(
              'Where you’re signed in. Sign out of sessions you don’t recognize, then change your password.',
            )}
          >
            <Sessions current={signedIn?.session} />
          </Section>
          <Section
            title={t('Tokens')}
            description={t(
              'For scripts and programs that use the API as you. Each token is for one organization, and stops working when you leave it.',
            )}
          >
            <PersonalTokens />
          </Section>
          {signedIn?.session.organizationId === undefined && (
            <Section
              title={t('Usage')}
              description={t(
                'How much you store outside of organizations, with what is in the trash. The operator of this server sets the limits.',
              )}
            >
              {signedIn === undefined ? <Skeleton h={100} /> : <UsageFacts />}
            </Section>
          )}
          <DeletedOrganizations />
          <Section
            title={t('Your data')}
            description={t(
              'The download contains what you own, wrote and did, as files in a ZIP archive. Deleting your account can’t be undone.',
            )}
          >
            {account.data === undefined ? <Skeleton h={36} /> : <YourData email={account.data.user.email} />}
          </Section>
        </Stack>
      )}
    </Page>
  );
}

/** Returns why this session can't change the account; undefined if it can. */
function reasonOfSession({ isManagedByDirectory }: Account, { organizationId }: Session): string | undefined {
  if (isManagedByDirectory) return t('Your organization’s directory manages this account. Change it there.');
  return organizationId === undefined
    ? undefined
    : t(
        'This session only has access to one organization. Sign in with your password to change your account.',
      );
}

/** The second factors, or why this session can't see them. */
function OwnSecondFactors({
  account,
  session,
}: {
  readonly account: Account;
  readonly session: Session;
}): ReactNode {
  const reason = reasonOfSession(account, session);
  return reason === undefined ? (
    <SecondFactors email={account.user.email} reason={reasonOfPassword(account)} />
  ) : (
    <Text size="sm" c="dimmed">
      {reason}
    </Text>
  );
}

const reasonOfPassword = ({ hasPassword, isManagedByDirectory }: Account): string | undefined =>
  hasPassword || isManagedByDirectory
    ? undefined
    : t('This account has no password. You sign in through your organization’s directory.');
