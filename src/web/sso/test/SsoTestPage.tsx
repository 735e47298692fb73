import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { ForAdministrators } from '../ForAdministrators.tsx';
import { configurationQuery, statusQuery, testQuery } from '../queries.ts';
import { TestResult } from './TestResult.tsx';

/** The result of a test sign-in. The directory sends the browser back to this page. */
export function SsoTestPage(): ReactNode {
  const { orgId, testId } = useParams({ from: paths.ssoTest });
  return (
    <Page
      title={t('Test sign-in')}
      description={t('The result of the test. Nobody was signed in, and nothing was changed.')}
    >
      <ForAdministrators orgId={orgId}>{() => <Found orgId={orgId} testId={testId} />}</ForAdministrators>
    </Page>
  );
}

function Found({ orgId, testId }: { readonly orgId: string; readonly testId: string }): ReactNode {
  const test = useQuery(testQuery(orgId, testId));
  const status = useQuery(statusQuery(orgId));
  const configuration = useQuery(configurationQuery(orgId));
  const all = [test, status, configuration];
  const error = all.find((query) => query.error !== null)?.error ?? null;
  if (error !== null) {
    return <Failure error={error} retry={() => void Promise.all(all.map((query) => query.refetch()))} />;
  }
  if (test.data === undefined || status.data === undefined || configuration.data === undefined)
    return <Skeleton h={420} aria-label={t('Loading')} />;
  return (
    <TestResult
      orgId={orgId}
      test={test.data}
      status={status.data}
      configuration={configuration.data ?? undefined}
    />
  );
}
