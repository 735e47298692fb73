import { ActionIcon, Button, Fieldset, Group, TextInput } from '@mantine/core';
import { IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { maxDescriptionLength, maxLabelLength, maxLinks } from '#shared/content-widgets/content-widgets.ts';
import { t } from '#shared/language/messages.ts';
import { addressFault, emptyLink, isEmptyLink, type LinkValues } from './content-values.ts';
import type { FieldsProps } from './fields-props.ts';

/** The fields of a list of links: its title, and each link. */
export function LinksFields({ values, onChange }: FieldsProps): ReactNode {
  const { links } = values;
  const setLinks = (changed: readonly LinkValues[]) => onChange({ ...values, links: changed });
  return (
    <>
      <TextInput
        label={t('Title')}
        maxLength={maxLabelLength}
        data-autofocus
        value={values.title}
        onChange={(event) => onChange({ ...values, title: event.currentTarget.value })}
      />
      {links.map((link, index) => (
        <LinkFields
          // The links have no identity but their place.
          key={index}
          link={link}
          number={index + 1}
          onChange={(changed) => setLinks(links.with(index, changed))}
          onMoveUp={
            index === 0
              ? undefined
              : () => setLinks(links.toSpliced(index - 1, 2, link, links[index - 1] ?? emptyLink))
          }
          onRemove={() => setLinks(links.length === 1 ? [emptyLink] : links.toSpliced(index, 1))}
        />
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          disabled={links.length >= maxLinks}
          onClick={() => setLinks([...links, emptyLink])}
        >
          {t('Add link')}
        </Button>
      </Group>
    </>
  );
}

function LinkFields({
  link,
  number,
  onChange,
  onMoveUp,
  onRemove,
}: {
  readonly link: LinkValues;
  readonly number: number;
  readonly onChange: (link: LinkValues) => void;
  readonly onMoveUp: (() => void) | undefined;
  readonly onRemove: () => void;
}): ReactNode {
  const fault =
    isEmptyLink(link) || (link.url === '' && link.label !== '') ? undefined : addressFault(link.url);
  return (
    <Fieldset legend={t('Link {number}', { number })}>
      <Group align="flex-start" gap="xs">
        <TextInput
          label={t('Label')}
          flex={1}
          miw={140}
          maxLength={maxLabelLength}
          value={link.label}
          onChange={(event) => onChange({ ...link, label: event.currentTarget.value })}
        />
        <TextInput
          label={t('Address')}
          flex={2}
          miw={180}
          maxLength={2_000}
          error={fault}
          value={link.url}
          onChange={(event) => onChange({ ...link, url: event.currentTarget.value })}
        />
      </Group>
      <Group align="flex-end" gap="xs" mt="xs">
        <TextInput
          label={t('Description')}
          flex={1}
          maxLength={maxDescriptionLength}
          value={link.description}
          onChange={(event) => onChange({ ...link, description: event.currentTarget.value })}
        />
        {onMoveUp !== undefined && (
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('Move link {number} up', { number })}
            title={t('Move up')}
            onClick={onMoveUp}
          >
            <IconArrowUp size={16} />
          </ActionIcon>
        )}
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('Remove link {number}', { number })}
          title={t('Remove')}
          onClick={onRemove}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
    </Fieldset>
  );
}
