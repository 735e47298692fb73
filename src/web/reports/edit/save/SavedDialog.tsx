import { Button, Group, Modal, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Report } from '#contract/reports/reports.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../../app/paths.ts';
import { AddToDashboardDialog } from '../../view/AddToDashboardDialog.tsx';

/** Shown after the first save: most people then add the report to a dashboard. */
export function SavedDialog({ report }: { readonly report: Report }): ReactNode {
  const navigate = useNavigate();
  const [isAdding, setIsAdding] = useState(false);
  const look = () => void navigate({ to: paths.report, params: { reportId: report.id }, search: {} });
  if (isAdding) return <AddToDashboardDialog report={report} close={look} />;
  return (
    <Modal opened onClose={look} title={t('Report saved')}>
      <Text mb="md" style={{ overflowWrap: 'anywhere' }}>
        {t(
          '“{name}” is visible to everyone in the organization. Add it to a dashboard to see it next to others.',
          { name: report.name },
        )}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={look}>
          {t('View report')}
        </Button>
        <Button onClick={() => setIsAdding(true)} data-autofocus>
          {t('Add to a dashboard')}
        </Button>
      </Group>
    </Modal>
  );
}
