import { Button, Group, Text } from '@mantine/core';
import { IconZoomOut } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { rangeForPeople, type TimeRange } from '#charts/time/range.ts';
import { t } from '#shared/language/messages.ts';

/** Says which range of times all charts show, and leads back to everything. */
export const ZoomNotice = ({
  zoom,
  onReset,
}: {
  readonly zoom: TimeRange;
  readonly onReset: () => void;
}): ReactNode => (
  <Group gap="xs">
    <Text size="sm" role="status">
      {t('Charts over time show {range}', { range: rangeForPeople(zoom) })}
    </Text>
    <Button
      className="no-print"
      size="xs"
      variant="default"
      leftSection={<IconZoomOut size={14} />}
      onClick={onReset}
    >
      {t('Show all times')}
    </Button>
  </Group>
);
