import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SsoTest } from '#contract/sso/sign-in.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { ForAdministrators } from '../ForAdministrators.tsx';
import {
  configurationQuery,
  connectionsQuery,
  statusQuery,
  testQuery,
  type DirectoryKey,
} from '../queries.ts';
import { TestResult } from './TestResult.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';

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
  const connections = useQuery(connectionsQuery(orgId));
  const error = test.error ?? connections.error;
  if (error !== null) {
    const retry = () => void Promise.all([test.refetch(), connections.refetch()]);
    return <Failure error={error} retry={retry} />;
  }
  if (test.data === undefined || connections.data === undefined) return <Waiting height={420} />;
  const { connectionId } = test.data;
  const isOther = connections.data.some(({ id, isFirst }) => id === connectionId && !isFirst);
  return <FoundOf orgId={orgId} connectionId={isOther ? connectionId : undefined} test={test.data} />;
}

function FoundOf({ test, ...directory }: DirectoryKey & { readonly test: SsoTest }): ReactNode {
  const status = useQuery(statusQuery(directory));
  const configuration = useQuery(configurationQuery(directory));
  const error = status.error ?? configuration.error;
  if (error !== null) {
    const retry = () => void Promise.all([status.refetch(), configuration.refetch()]);
    return <Failure error={error} retry={retry} />;
  }
  if (status.data === undefined || configuration.data === undefined) return <Waiting height={420} />;
  return (
    <TestResult
      {...directory}
      test={test}
      status={status.data}
      configuration={configuration.data ?? undefined}
    />
  );
}
