import { Divider, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Dashboard } from '#contract/dashboards/dashboards.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import type { Search } from '../../ui/browser/search.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { WallDisplays } from '../display/links/WallDisplays.tsx';
import { defaultSeconds, maxSeconds, minSeconds } from './search.ts';

/**
 * Asks how long each part of a dashboard is shown, and starts the presentation in full screen, or creates a link that shows it on a wall
 * display.
 */
export function PresentDialog({
  dashboard,
  filters,
  onClose,
}: {
  readonly dashboard: Pick<Dashboard, 'id' | 'organizationId' | 'widgets'>;
  /** The values of the filters, which the presentation keeps. */
  readonly filters: Search;
  readonly onClose: () => void;
}): ReactNode {
  const navigate = useNavigate();
  const [seconds, setSeconds] = useState<number | string>(defaultSeconds);
  const start = () => {
    onClose();
    // Without it, such as on some phones, the presentation fills the window.
    document.documentElement.requestFullscreen?.().catch(() => {});
    void navigate({
      to: paths.present,
      params: { dashboardId: dashboard.id },
      search: { ...filters, 'present-every': String(seconds) },
    });
  };
  return (
    <Modal opened onClose={onClose} title={t('Present')} size="lg">
      <Stack>
        <Text size="sm">
          {t(
            'Shows the tabs and sections one after the other, with the filters as they are set. Escape ends it. You can bookmark its address.',
          )}
        </Text>
        <Form
          action={t('Present')}
          reason={typeof seconds === 'number' ? undefined : t('Enter a number of seconds.')}
          onSubmit={start}
          onCancel={onClose}
        >
          <NumberInput
            label={t('Seconds for each tab or section')}
            min={minSeconds}
            max={maxSeconds}
            clampBehavior="strict"
            allowDecimal={false}
            value={seconds}
            onChange={setSeconds}
            data-autofocus
          />
        </Form>
        <Divider />
        <WallDisplays
          dashboard={dashboard}
          filters={filters}
          seconds={typeof seconds === 'number' ? seconds : defaultSeconds}
        />
      </Stack>
    </Modal>
  );
}
