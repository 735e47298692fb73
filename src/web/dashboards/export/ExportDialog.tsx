import { Modal, Radio, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { ExportFormat } from '#contract/dashboards/exports.ts';
import { currentLanguage } from '#shared/language/current.ts';
import { firstLanguageOf } from '#shared/language/languages.ts';
import { t } from '#shared/language/messages.ts';
import { callForFile } from '../../app/api.ts';
import { fileNameOf, saveFile } from '../../ui/browser/save-file.ts';
import type { Search } from '../../ui/browser/search.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { hasChosenPatterns } from '../../visualizations/echarts/pattern-choice.ts';

/** A dashboard, or one of its widgets. */
export interface Exported {
  readonly dashboardId: string;
  readonly widgetId?: string;
  /** What the file is called. */
  readonly title: string;
}

const formats: readonly {
  readonly value: ExportFormat;
  readonly label: string;
  readonly description: string;
}[] = [
  { value: 'pdf', label: 'PDF', description: t('Pages to print or send, with the filters in their header') },
  {
    value: 'xlsx',
    label: t('Excel (XLSX)'),
    description: t('All rows of each widget, on a sheet of its own'),
  },
  { value: 'png', label: t('Picture (PNG)'), description: t('For messages and documents') },
  {
    value: 'svg',
    label: t('Picture (SVG)'),
    description: t('For slides and drawing programs, sharp at any size'),
  },
];

/** Asks for a format, and downloads the file. */
export function ExportDialog({
  exported,
  filters,
  opened,
  onClose,
}: {
  readonly exported: Exported;
  /** The values of the filters. */
  readonly filters: Search;
  readonly opened: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const [format, setFormat] = useState<ExportFormat>('pdf');
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);
  const download = useMutation({
    mutationFn: async () => {
      stopping.current = new AbortController();
      const file = await requestFile(exported, format, filters, stopping.current.signal);
      saveFile(file, fileNameOf(exported.title, format));
    },
    onSuccess: () => {
      notifyDone(t('Exported. Your browser has the file.'));
      onClose();
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title={t('Export “{title}”', { title: exported.title })}>
      <Form
        error={download.error}
        action={t('Export')}
        isPending={download.isPending}
        onSubmit={() => download.mutate()}
        onCancel={onClose}
      >
        <Radio.Group label={t('Format')} value={format} onChange={setFormat}>
          <Stack gap="xs" mt="xs">
            {formats.map((each) => (
              <Radio key={each.value} {...each} />
            ))}
          </Stack>
        </Radio.Group>
        <Text size="sm" c="dimmed" role="status">
          {download.isPending
            ? t('Making the file. This can take a few seconds…')
            : t('The current filters apply.')}
        </Text>
      </Form>
    </Modal>
  );
}

function requestFile(
  { dashboardId, widgetId }: Exported,
  format: ExportFormat,
  filters: Search,
  signal: AbortSignal,
): Promise<Blob> {
  const query = {
    ...filters,
    'file-format': format,
    'time-zone': Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(hasChosenPatterns() && { 'chart-patterns': 'on' as const }),
    'text-language': firstLanguageOf([currentLanguage()]) ?? 'en',
  };
  return widgetId === undefined
    ? callForFile('GET /api/dashboards/{dashboardId}/export', '*/*', {
        params: { dashboardId },
        query,
        signal,
      })
    : callForFile('GET /api/dashboards/{dashboardId}/widgets/{widgetId}/export', '*/*', {
        params: { dashboardId, widgetId },
        query,
        signal,
      });
}
