import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { maxTitleLength } from '#shared/sections/structure.ts';
import { Form } from '../../../ui/forms/Form.tsx';
import type { ContainerSettings } from '../draft/containers.ts';

/** A filter that sections can be repeated by. */
export interface RepeatingFilter {
  readonly name: string;
  readonly label: string;
}

/** The settings of a tab or a section. */
export function ContainerForm({
  isTab,
  settings,
  filters,
  action,
  onSubmit,
  onClose,
}: {
  readonly isTab: boolean;
  readonly settings: ContainerSettings;
  readonly filters: readonly RepeatingFilter[];
  readonly action: string;
  readonly onSubmit: (settings: ContainerSettings) => void;
  readonly onClose: () => void;
}): ReactNode {
  const [title, setTitle] = useState(settings.title);
  const [isCollapsed, setIsCollapsed] = useState(settings.isCollapsed ?? false);
  const [repeatedBy, setRepeatedBy] = useState(settings.repeatedBy ?? '');
  const isKnown = repeatedBy === '' || filters.some(({ name }) => name === repeatedBy);
  const submit = () =>
    onSubmit({
      title: title.trim(),
      ...(!isTab && { isCollapsed, ...(repeatedBy !== '' && { repeatedBy }) }),
    });
  return (
    <Form action={action} onSubmit={submit} onCancel={onClose}>
      <TextInput
        label={t('Title')}
        required={isTab}
        description={isTab ? undefined : t('A section without a title can’t be collapsed.')}
        value={title}
        maxLength={maxTitleLength}
        data-autofocus
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      {!isTab && (
        <>
          <Switch
            label={t('Collapsed at first')}
            description={t('Its reports run once someone expands it.')}
            checked={isCollapsed}
            onChange={(event) => setIsCollapsed(event.currentTarget.checked)}
          />
          <NativeSelect
            label={t('Repeat for each value of')}
            description={
              filters.length === 0
                ? t('The dashboard has no filter of values. Ranges and dates can’t repeat a section.')
                : t(
                    'Shows the section once for each chosen value of a filter, or else for all values, at most 20.',
                  )
            }
            value={repeatedBy}
            data={[
              { value: '', label: t('Don’t repeat') },
              ...filters.map(({ name, label }) => ({ value: name, label })),
              ...(isKnown
                ? []
                : [{ value: repeatedBy, label: t('{repeatedBy} (no such filter)', { repeatedBy }) }]),
            ]}
            onChange={(event) => setRepeatedBy(event.currentTarget.value)}
          />
        </>
      )}
    </Form>
  );
}
