import { Grid, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ContentChange } from '#contract/records/history.ts';
import { t } from '#shared/language/messages.ts';
import type { paths } from '../app/paths.ts';
import { MoreButton } from '../ui/actions/MoreButton.tsx';
import { Page } from '../ui/page/Page.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import type { RecordKind } from '../ui/server-data/trash.ts';
import { Waiting } from '../ui/page/Waiting.tsx';
import type { VersionContents } from './calls.ts';
import classes from './HistoryPage.module.css';
import { versionsQuery, type RecordRef } from './queries.ts';
import { VersionDetails } from './VersionDetails.tsx';
import { VersionLine } from './VersionLine.tsx';

interface HistoryProps<Kind extends RecordKind> {
  readonly record: RecordRef<Kind>;
  readonly path: typeof paths.dashboardHistory | typeof paths.reportHistory;
  /** Returns a change as a sentence. */
  readonly summaryOf: (change: ContentChange) => string;
  /** The content of a version, without its name and description. */
  readonly preview: (content: VersionContents[Kind]) => ReactNode;
}

/** The versions of a record: who made each, its content, what changed, and the button that restores it. */
export const HistoryPage = <Kind extends RecordKind>({
  name,
  actions,
  replacement,
  ...history
}: HistoryProps<Kind> & {
  readonly name: string;
  readonly actions: ReactNode;
  /** Shown instead of the versions while permissions load, or if you can't see the history. */
  readonly replacement: ReactNode | undefined;
}): ReactNode => (
  <Page title={t('History of {name}', { name })} actions={actions}>
    {replacement ?? <Versions {...history} />}
  </Page>
);

function Versions<Kind extends RecordKind>({
  record,
  path,
  summaryOf,
  preview,
}: HistoryProps<Kind>): ReactNode {
  const search = useSearch({ from: path });
  const navigate = useNavigate();
  const versions = useInfiniteQuery(versionsQuery(record));
  const items = versions.data?.pages.flatMap((page) => page.items) ?? [];
  const newest = items[0]?.version;
  if (newest === undefined) {
    return versions.error === null ? (
      <Waiting height={320} />
    ) : (
      <Failure error={versions.error} retry={() => void versions.refetch()} />
    );
  }
  const shown = Number(search.version ?? newest);
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 4 }}>
        <nav aria-label={t('Versions')}>
          <Stack gap={2}>
            {items.map((item) => (
              <Link
                key={item.version}
                to="."
                search={{ version: `${item.version}` }}
                resetScroll={false}
                className={classes['version'] ?? ''}
                aria-current={item.version === shown ? 'true' : undefined}
                activeProps={{}}
              >
                <VersionLine version={item} isCurrent={item.version === newest} />
              </Link>
            ))}
            <MoreButton list={versions}>{t('Show older versions')}</MoreButton>
          </Stack>
        </nav>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 8 }}>
        <VersionDetails
          key={shown}
          record={record}
          version={shown}
          newest={newest}
          comparedWith={search.with === undefined ? shown - 1 : Number(search.with)}
          onCompare={(version) =>
            void navigate({
              to: '.',
              search: { version: `${shown}`, ...(version !== undefined && { with: `${version}` }) },
              replace: true,
              resetScroll: false,
            })
          }
          summaryOf={summaryOf}
          preview={preview}
        />
      </Grid.Col>
    </Grid>
  );
}
