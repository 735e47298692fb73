import { Button, Group, Modal, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Report } from '#contract/reports/reports.ts';
import { paths } from '../../../app/paths.ts';
import { AddToDashboardDialog } from '../../view/AddToDashboardDialog.tsx';

/** What comes after the first save: most people want to see it on a dashboard. */
export function SavedDialog({ report }: { readonly report: Report }): ReactNode {
  const navigate = useNavigate();
  const [isAdding, setIsAdding] = useState(false);
  const look = () => void navigate({ to: paths.report, params: { reportId: report.id }, search: {} });
  if (isAdding) return <AddToDashboardDialog report={report} close={look} />;
  return (
    <Modal opened onClose={look} title="The report is saved">
      <Text mb="md" style={{ overflowWrap: 'anywhere' }}>
        “{report.name}” can be looked at by every member of the organization. Put it onto a dashboard to see
        it beside others.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={look}>
          Look at the report
        </Button>
        <Button onClick={() => setIsAdding(true)} data-autofocus>
          Add to a dashboard
        </Button>
      </Group>
    </Modal>
  );
}
