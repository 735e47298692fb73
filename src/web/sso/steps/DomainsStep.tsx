import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { t } from '#shared/language/messages.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { bodyOf, typedDomain } from '../connection/connection.ts';
import { DomainItem } from './DomainItem.tsx';
import type { Sso } from '../queries.ts';
import { useSaving } from '../connection/use-saving.ts';

/** The email domains whose people can sign in, each verified or with the record that verifies it. */
export function DomainsStep({ sso }: { readonly sso: Sso }): ReactNode {
  const { status, configuration } = sso;
  const [typed, setTyped] = useState('');
  const adding = useSaving(sso);
  if (configuration === undefined) {
    return (
      <Text>
        {t('Complete step 2 first. This step then shows the DNS record that verifies your email domain.')}
      </Text>
    );
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const emailDomains = [...configuration.emailDomains, typedDomain(typed)];
    adding.mutate({ body: bodyOf(configuration, { emailDomains }) }, { onSuccess: () => setTyped('') });
  };
  const hidden = status.domainCount - status.domains.length;
  return (
    <Stack>
      <Text size="sm">
        {t(
          'Only people with an email address in a verified domain can sign in through the directory. To verify a domain, publish its TXT record in DNS. Leave the record in place: it’s checked daily.',
        )}
      </Text>
      {status.domains.map((domain) => (
        <DomainItem key={domain.domain} sso={sso} configuration={configuration} domain={domain} />
      ))}
      {hidden > 0 && <Text size="sm">{t('And {hidden} more. The API lists all of them.', { hidden })}</Text>}
      <form onSubmit={submit}>
        <Group align="flex-end" gap="xs">
          <TextInput
            label={configuration.emailDomains.length === 0 ? t('Email domain') : t('Another domain')}
            placeholder="contoso.com"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            required
            withAsterisk={false}
          />
          <Button type="submit" variant="default" loading={adding.isPending}>
            {t('Add')}
          </Button>
        </Group>
      </form>
      {adding.error !== null && <Failure error={adding.error} />}
    </Stack>
  );
}
