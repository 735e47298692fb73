import { Button, Code, CopyButton, Group, ScrollArea, Table, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { InvitationResult } from './invite-one.ts';

/** The result of each invitation, with links to copy one by one or all at once. */
export function InvitationResults({ results }: { readonly results: readonly InvitationResult[] }): ReactNode {
  const links = results.filter(({ link }) => link !== undefined);
  return (
    <>
      <ScrollArea.Autosize mah={360} viewportProps={{ tabIndex: 0 }}>
        <Table verticalSpacing="sm">
          <Table.Tbody>
            {results.map(({ email, message, link, hasFailed }) => (
              <Table.Tr key={email}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <Text size="sm" fw={500}>
                    {email}
                  </Text>
                  <Text size="sm" {...(hasFailed && { c: 'var(--mantine-color-error)' })}>
                    {message}
                  </Text>
                  {link !== undefined && (
                    <Group gap="xs" mt={4} wrap="nowrap">
                      <Code style={{ overflowWrap: 'anywhere' }}>{link}</Code>
                      <Copy text={link} label={t('Copy the link for {email}', { email })} />
                    </Group>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      {links.length > 1 && (
        <Group>
          <Copy
            text={links.map(({ email, link }) => `${email} ${link ?? ''}`).join('\n')}
            label={t('Copy all links with their addresses')}
            isWide
          />
        </Group>
      )}
    </>
  );
}

const Copy = ({
  text,
  label,
  isWide = false,
}: {
  readonly text: string;
  readonly label: string;
  readonly isWide?: boolean;
}): ReactNode => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <Button
        size="compact-sm"
        variant="default"
        flex="none"
        {...(!copied && { 'aria-label': label })}
        leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        onClick={copy}
      >
        {copied ? t('Copied') : isWide ? label : t('Copy')}
      </Button>
    )}
  </CopyButton>
);
