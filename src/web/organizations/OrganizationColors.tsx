import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Organization, OrganizationChange } from '#contract/organizations/organizations.ts';
import { brandedColors, darkTheme, lightTheme, type ChartTheme } from '#charts/drawing/palette.ts';
import { maxChartColors } from '#shared/branding/branding.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../app/api.ts';
import { Form } from '../ui/forms/Form.tsx';
import { ColorField, isHexColor } from './ColorField.tsx';
import { notifyDone } from '../ui/notifications/notify.ts';
import { reasonAgainst } from '../ui/text/permissions.ts';
import classes from './OrganizationColors.module.css';

/** Sets the accent color of pages and the first colors of charts. */
export function OrganizationColors({ organization }: { readonly organization: Organization }): ReactNode {
  const { id: orgId, role } = organization;
  const [accentColor, setAccentColor] = useState(organization.accentColor);
  const [chartColors, setChartColors] = useState<readonly string[]>(organization.chartColors);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (body: OrganizationChange) =>
      call('PATCH /api/organizations/{orgId}', { params: { orgId }, body }),
    onSuccess: () => {
      notifyDone(t('Colors saved.'));
      return client.invalidateQueries({ queryKey: ['organizations'] });
    },
  });
  const reason = reasonAgainst('organization.change', role);
  const isLocked = reason !== undefined;
  const setColor = (index: number, color: string) =>
    setChartColors(chartColors.map((before, at) => (at === index ? color : before)));
  return (
    <Form
      error={change.error}
      action={t('Save colors')}
      reason={reason}
      isPending={change.isPending}
      onSubmit={() =>
        change.mutate({
          accentColor: accentColor.toLowerCase(),
          chartColors: chartColors.map((color) => color.toLowerCase()),
        })
      }
    >
      <ColorField
        label={t('Accent color')}
        description={t(
          'Of buttons and links. They use a darker or lighter shade where it would be hard to read.',
        )}
        isLocked={isLocked}
        value={accentColor}
        onChange={setAccentColor}
      />
      <Stack gap="xs" role="group" aria-label={t('Chart colors')}>
        <Text size="sm" fw={500}>
          {t('Chart colors')}
        </Text>
        <Text size="xs" c="dimmed">
          {t('Charts use these colors first, and those of Atrium after them.')}
        </Text>
        {chartColors.map((color, index) => (
          <Group key={index} gap="xs" wrap="nowrap">
            <ColorField
              aria-label={t('Chart color {number}', { number: index + 1 })}
              isLocked={isLocked}
              value={color}
              onChange={(chosen) => setColor(index, chosen)}
            />
            {!isLocked && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('Remove chart color {number}', { number: index + 1 })}
                onClick={() => setChartColors(chartColors.filter((_, at) => at !== index))}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        ))}
        {!isLocked && chartColors.length < maxChartColors && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            style={{ alignSelf: 'start' }}
            onClick={() =>
              setChartColors([...chartColors, lightTheme.colors[chartColors.length] ?? accentColor])
            }
          >
            {t('Add a chart color')}
          </Button>
        )}
        <Preview name="light" theme={lightTheme} colors={chartColors} />
        <Preview name="dark" theme={darkTheme} colors={chartColors} />
      </Stack>
    </Form>
  );
}

/** The colors as charts draw them in a theme. */
function Preview({
  name,
  theme,
  colors,
}: {
  readonly name: string;
  readonly theme: ChartTheme;
  readonly colors: readonly string[];
}): ReactNode {
  const valid = colors.map((color) => (isHexColor(color) ? color : theme.text));
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="xs" c="dimmed" w={90}>
        {t('In the {name} theme', { name })}
      </Text>
      <div
        className={classes.preview}
        style={{ backgroundColor: theme.surface }}
        role="img"
        aria-label={t('Chart colors in the {name} theme: {brandedColors}', {
          name,
          brandedColors: brandedColors(valid, theme).join(', '),
        })}
      >
        {brandedColors(valid, theme).map((color, index) => (
          <span key={index} className={classes.swatch} style={{ backgroundColor: color }} />
        ))}
      </div>
    </Group>
  );
}
