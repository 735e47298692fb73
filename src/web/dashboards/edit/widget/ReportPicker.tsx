import { Button, Select, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../../app/paths.ts';
import { Failure } from '../../../ui/problems/Failure.tsx';
import { organizationsQuery } from '../../../ui/server-data/session.ts';
import { reportChoicesQuery } from './report-choice-queries.ts';
import classes from './ReportPicker.module.css';
import { Waiting } from '../../../ui/page/Waiting.tsx';

/** Searches reports by name; for a private dashboard, in any of your organizations. */
export function ReportPicker({
  organizationId,
  onChoose,
}: {
  readonly organizationId: string | undefined;
  readonly onChoose: (reportId: string) => void;
}): ReactNode {
  const { data: organizations = [] } = useQuery(organizationsQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const orgId = organizationId ?? chosen ?? organizations[0]?.id;
  if (orgId === undefined) {
    return <Text>{t("Reports belong to organizations, and you aren't a member of one yet.")}</Text>;
  }
  return (
    <Stack>
      {organizationId === undefined && organizations.length > 1 && (
        <Select
          label={t('Organization')}
          data={organizations.map(({ id, name }) => ({ value: id, label: name }))}
          value={orgId}
          allowDeselect={false}
          onChange={setChosen}
        />
      )}
      <Choices organizationId={orgId} onChoose={onChoose} />
    </Stack>
  );
}

function Choices({
  organizationId,
  onChoose,
}: {
  readonly organizationId: string;
  readonly onChoose: (reportId: string) => void;
}): ReactNode {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), 200);
  const { data, error, refetch } = useQuery(reportChoicesQuery(organizationId, search));
  return (
    <Stack gap="sm">
      <TextInput
        label={t('Search reports')}
        type="search"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        data-autofocus
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {error !== null && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Waiting height={240} />}
      {data !== undefined && (
        <ul className={classes['list']} aria-label={t('Reports')}>
          {data.items.map(({ id, name, description }) => (
            <li key={id}>
              <UnstyledButton className={classes['choice'] ?? ''} onClick={() => onChoose(id)}>
                <Text size="sm" fw={500} truncate>
                  {name}
                </Text>
                {description !== undefined && (
                  <Text size="xs" c="dimmed" lineClamp={1}>
                    {description}
                  </Text>
                )}
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
      <Text size="sm" c="dimmed" role="status">
        {data === undefined ? '' : statusOf(data.items.length, data.nextCursor !== undefined, search)}
      </Text>
      <Button
        variant="default"
        renderRoot={(props) => <Link {...props} to={paths.newReport} params={{ orgId: organizationId }} />}
      >
        {t('New report')}
      </Button>
    </Stack>
  );
}

function statusOf(count: number, hasMore: boolean, search: string): string {
  if (count === 0) return search === '' ? t('No reports yet.') : t('No matching reports.');
  return hasMore ? t('Showing the newest {count}. Search to find others.', { count }) : '';
}
