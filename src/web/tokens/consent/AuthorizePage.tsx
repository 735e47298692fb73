import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { AuthorizationDecision, AuthorizationParameters } from '#contract/credentials/authorizations.ts';
import { t } from '#shared/language/messages.ts';
import { ApiProblem, call } from '../../app/api.ts';
import { Page } from '../../ui/page/Page.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { rich } from '../../ui/text/rich.tsx';
import { ConsentForm } from './ConsentForm.tsx';
import { destinationOf } from './destination.ts';

/** Reads the parameters with which a program sends a person here (RFC 6749, section 4.1.1). */
function readParameters(query: string): AuthorizationParameters {
  const values = new URLSearchParams(query);
  const [scope, state, resource] = [values.get('scope'), values.get('state'), values.get('resource')];
  return {
    clientId: values.get('client_id') ?? '',
    redirectUri: values.get('redirect_uri') ?? '',
    responseType: values.get('response_type') ?? '',
    codeChallenge: values.get('code_challenge') ?? '',
    codeChallengeMethod: values.get('code_challenge_method') ?? '',
    ...(scope !== null && { scope }),
    ...(state !== null && { state }),
    ...(resource !== null && { resource }),
  };
}

/** Asks whether a program may act as the person, and sends its response to the program. */
export function AuthorizePage(): ReactNode {
  const [parameters] = useState(() => readParameters(location.search));
  const request = useQuery({
    queryKey: ['authorization', parameters],
    queryFn: ({ signal }) => call('POST /api/auth/authorizations/read', { body: parameters, signal }),
    staleTime: Infinity,
    gcTime: 0,
  });
  const decision = useMutation({
    mutationFn: (approval: AuthorizationDecision['approval']) =>
      call('POST /api/auth/authorizations', { body: { ...parameters, ...(approval && { approval }) } }),
    // Replaced, so that going back doesn't ask again.
    onSuccess: ({ redirectTo }) => location.replace(redirectTo),
    gcTime: 0,
  });
  const { data, error } = request;
  const isUnknown = error instanceof ApiProblem && ['not_found', 'invalid_body'].includes(error.code);
  return (
    <Page title={t('Authorize a program')}>
      <Stack maw={560}>
        {isUnknown ? (
          <Text role="alert">
            {t(
              'This link is not valid: the program is not known here, or its address is not the one that it registered. Start again in the program.',
            )}
          </Text>
        ) : error !== null ? (
          <Failure error={error} retry={() => void request.refetch()} />
        ) : data === undefined ? (
          <Waiting height={240} />
        ) : data.refusal !== undefined ? (
          <Alert title={t('{program} sent a request that isn’t valid here.', { program: data.clientName })}>
            <Button component="a" href={data.refusal} size="xs" variant="default">
              {t('Back to the program')}
            </Button>
          </Alert>
        ) : (
          <ConsentForm
            asked={data.scopes}
            action={t('Authorize')}
            error={decision.error}
            isApproving={decision.isPending || decision.isSuccess}
            isDenying={false}
            onApprove={(approval) => decision.mutate(approval)}
            onDeny={() => decision.mutate(undefined)}
          >
            <Text style={{ overflowWrap: 'anywhere' }}>
              {rich('“<b>{program}</b>” asks to act as you.', {
                program: data.clientName,
                b: (name) => <bdi style={{ fontWeight: 600 }}>{name}</bdi>,
              })}
            </Text>
            {data.isForMcp === true && (
              <Text size="sm">
                {t('It can use only the tools for AI assistants (MCP), not the rest of the API.')}
              </Text>
            )}
            {data.isVerified ? (
              <Text size="sm" c="dimmed">
                {t('It belongs to this server. Authorize it only if you started it yourself.')}
              </Text>
            ) : (
              <Alert color="orange" icon={<IconAlertTriangle aria-hidden />}>
                {t(
                  'Nobody has verified this program, and any program can choose this name. Authorize it only if you started this in the program yourself.',
                )}
              </Alert>
            )}
            <div style={{ overflowWrap: 'anywhere' }}>
              <Text size="sm">
                {rich('The response goes to <b>{destination}</b>.', {
                  destination: destinationOf(data.redirectUri),
                  b: (text) => <bdi style={{ fontWeight: 600 }}>{text}</bdi>,
                })}
              </Text>
              <Text size="xs" c="dimmed">
                {data.redirectUri}
              </Text>
            </div>
          </ConsentForm>
        )}
      </Stack>
    </Page>
  );
}
