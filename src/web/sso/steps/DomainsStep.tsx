import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { Failure } from '../../ui/problems/Failure.tsx';
import { bodyOf, typedDomain } from '../connection/connection.ts';
import { DomainItem } from './DomainItem.tsx';
import type { Sso } from '../sso-queries.ts';
import { useSaving } from '../connection/use-saving.ts';

/** The email domains whose people come in, each with its proof or how to prove it. */
export function DomainsStep({ sso }: { readonly sso: Sso }): ReactNode {
  const { orgId, status, configuration } = sso;
  const [typed, setTyped] = useState('');
  const adding = useSaving(orgId);
  if (configuration === undefined) {
    return (
      <Text>
        Save step 2 first: it names your email domain. Then the DNS record that proves it stands here.
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
        Only people of a proven domain are led to the directory, and let in. Whoever publishes its TXT record
        proves it; leave the record there, it is looked for daily.
      </Text>
      {status.domains.map((domain) => (
        <DomainItem key={domain.domain} sso={sso} configuration={configuration} domain={domain} />
      ))}
      {hidden > 0 && <Text size="sm">And {hidden} more, which the API lists.</Text>}
      <form onSubmit={submit}>
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Another domain"
            placeholder="contoso.com"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            required
            withAsterisk={false}
          />
          <Button type="submit" variant="default" loading={adding.isPending}>
            Add
          </Button>
        </Group>
      </form>
      {adding.error !== null && <Failure error={adding.error} />}
    </Stack>
  );
}
