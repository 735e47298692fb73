import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SsoTest } from '#contract/sso/sign-in.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { TimeAgo } from '../../ui/text/TimeAgo.tsx';
import { textsOf } from '../directory-kinds.ts';
import { Outcome } from '../Outcome.tsx';
import type { Sso } from '../queries.ts';
import { blockingReasons } from '../status-message.ts';
import { verdictOf } from '../test/verdict.ts';
import type { SsoTests } from '../test/use-tests.ts';
import { rich } from '../../ui/text/rich.tsx';

/** Tests the stored configuration, even if it is off, and shows the last result. */
export function TestStep({
  sso,
  tests: { lastTest, isStarting, error, start },
}: {
  readonly sso: Sso;
  readonly tests: SsoTests;
}): ReactNode {
  const { status, configuration } = sso;
  const { shortName } = textsOf(configuration);
  // A test runs without a verified domain and reports that as a failed check.
  const [missing] = blockingReasons(status).filter(({ code }) => code !== 'no_proven_domain');
  return (
    <Stack>
      <Text size="sm">
        {t(
          'You sign in at {shortName} and then see the result: every check, the claims, the account and the role. A test signs nobody in to Atrium and changes nothing.',
          { shortName },
        )}
      </Text>
      {lastTest !== undefined && <LastTest sso={sso} test={lastTest} />}
      {error !== null && <Failure error={error} />}
      <Group>
        <ActionButton
          loading={isStarting}
          reason={missing && `${missing.message} ${missing.remedy}`}
          onClick={start}
        >
          {t('Test a sign-in')}
        </ActionButton>
      </Group>
    </Stack>
  );
}

function LastTest({ sso, test }: { readonly sso: Sso; readonly test: SsoTest }): ReactNode {
  const { tone, sentence, remedy } = verdictOf(test, textsOf(sso.configuration));
  return (
    <Alert
      variant="default"
      role="group"
      title={<Outcome tone={tone === 'waiting' ? 'open' : tone}>{sentence}</Outcome>}
    >
      <Text size="sm">
        {rich('{remedy} Started {time}. <link>View the result</link>', {
          remedy,
          time: <TimeAgo at={test.createdAt} />,
          link: (text) => (
            <Anchor
              renderRoot={(props) => (
                <Link {...props} to={paths.ssoTest} params={{ orgId: sso.orgId, testId: test.id }} />
              )}
              size="sm"
              underline="always"
            >
              {text}
            </Anchor>
          ),
        })}
      </Text>
    </Alert>
  );
}
