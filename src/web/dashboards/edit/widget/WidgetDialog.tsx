import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Form } from '../../../ui/forms/Form.tsx';
import { ownTitleOf } from '#charts/widgets/title.ts';
import { t } from '#shared/language/messages.ts';
import type { DraftWidget } from '../draft/content.ts';
import { ReportPicker } from './ReportPicker.tsx';

interface WidgetChange {
  readonly reportId: string;
  readonly title: string;
}

/** Changes the title or the report of a widget. */
export const WidgetDialog = ({
  widget,
  ...props
}: {
  readonly widget: DraftWidget | undefined;
  readonly organizationId: string | undefined;
  readonly nameOfReport: (reportId: string) => string;
  readonly onClose: () => void;
  readonly onChange: (change: WidgetChange) => void;
}): ReactNode => (
  <Modal opened={widget !== undefined} onClose={props.onClose} title={t('Edit widget')}>
    {widget !== undefined && <WidgetForm key={widget.key} widget={widget} {...props} />}
  </Modal>
);

function WidgetForm({
  widget,
  organizationId,
  nameOfReport,
  onClose,
  onChange,
}: {
  readonly widget: DraftWidget;
  readonly organizationId: string | undefined;
  readonly nameOfReport: (reportId: string) => string;
  readonly onClose: () => void;
  readonly onChange: (change: WidgetChange) => void;
}): ReactNode {
  const [title, setTitle] = useState(ownTitleOf(widget) ?? '');
  const [reportId, setReportId] = useState(widget.reportId);
  const [isChoosing, setIsChoosing] = useState(false);
  return (
    <Form action={t('Apply')} onSubmit={() => onChange({ reportId, title: title.trim() })} onCancel={onClose}>
      <TextInput
        label={t('Title')}
        description={t('Leave empty to use the title of its report.')}
        placeholder={nameOfReport(reportId)}
        value={title}
        maxLength={200}
        data-autofocus
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" truncate>
          {t('Report: {nameOfReport}', { nameOfReport: nameOfReport(reportId) })}
        </Text>
        <Button
          size="xs"
          variant="default"
          onClick={() => setIsChoosing(!isChoosing)}
          aria-expanded={isChoosing}
        >
          {t('Change report')}
        </Button>
      </Group>
      {isChoosing && (
        <ReportPicker
          organizationId={organizationId}
          onChoose={(id) => {
            setReportId(id);
            setIsChoosing(false);
          }}
        />
      )}
    </Form>
  );
}
