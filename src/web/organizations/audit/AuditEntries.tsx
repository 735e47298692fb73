import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AuditEntry } from '#contract/organizations/audit.ts';
import { t } from '#shared/language/messages.ts';
import { EntryTable, type ShownEntry } from './EntryTable.tsx';
import classes from './EntryTable.module.css';
import { auditQuery } from './queries.ts';
import type { AuditSearch } from './search.ts';
import { entryText } from './texts.ts';

/** The entries that match the filters, newest first. */
export const AuditEntries = ({
  orgId,
  search,
}: {
  readonly orgId: string;
  readonly search: AuditSearch;
}): ReactNode => (
  <EntryTable
    entries={useInfiniteQuery(auditQuery(orgId, search))}
    show={toShown}
    icon={IconHistory}
    advice={t('Remove a filter or choose other days.')}
  />
);

const toShown = (entry: AuditEntry): ShownEntry => ({
  who:
    entry.actorEmailVerified === false
      ? t('{email} (not verified)', { email: entry.actorEmail ?? '' })
      : (entry.actorEmail ?? t('The server')),
  what: entryText(entry),
  more: (
    <details>
      <summary className={classes['summary']}>{t('Details')}</summary>
      <pre className={classes['details']}>
        {JSON.stringify({ action: entry.action, ...entry.details }, null, 2)}
      </pre>
    </details>
  ),
});
