import { Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AccessEntry } from '#contract/organizations/access-log.ts';
import { t } from '#shared/language/messages.ts';
import { exactTime } from '../../ui/text/times.ts';
import { EntryTable, type ShownEntry } from '../audit/EntryTable.tsx';
import type { AuditSearch } from '../audit/search.ts';
import { accessQuery } from './queries.ts';
import { accessText } from './texts.ts';

/** The entries that match the filters, newest first. */
export const AccessEntries = ({
  orgId,
  search,
}: {
  readonly orgId: string;
  readonly search: AuditSearch;
}): ReactNode => (
  <EntryTable
    entries={useInfiniteQuery(accessQuery(orgId, search))}
    show={toShown}
    icon={IconEye}
    advice={t('Views appear within some seconds. Remove a filter or choose other days.')}
  />
);

const toShown = (entry: AccessEntry): ShownEntry => ({
  who: readerOf(entry),
  what: accessText(entry),
  more: (
    <>
      {entry.count > 1 && (
        <Text size="xs" c="dimmed">
          {t('{count} requests, the last at {time}', { count: entry.count, time: exactTime(entry.lastAt) })}
        </Text>
      )}
      {entry.tokenId !== undefined && (
        <Text size="xs" c="dimmed">
          {t('With a token')}
        </Text>
      )}
    </>
  ),
});

function readerOf({ actorEmail, actorEmailVerified, actorId, linkId }: AccessEntry): string {
  if (linkId !== undefined) return t('A display');
  if (actorEmail === undefined) return actorId ?? '';
  return actorEmailVerified === false ? t('{email} (not verified)', { email: actorEmail }) : actorEmail;
}
