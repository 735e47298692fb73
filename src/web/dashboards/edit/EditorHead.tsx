import { Group, Textarea, TextInput } from '@mantine/core';
import type { Dispatch, ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { DraftContent } from './draft/content.ts';
import type { EditAction } from '../../drafts/undo-history.ts';

/** The fields for the name and the description of a dashboard. */
export const EditorHead = ({
  content: { name, description },
  dispatch,
}: {
  readonly content: DraftContent;
  readonly dispatch: Dispatch<EditAction<DraftContent>>;
}): ReactNode => (
  <Group align="flex-start" grow preventGrowOverflow={false} gap="md">
    <TextInput
      label={t('Name')}
      required
      miw={220}
      value={name}
      error={name === '' ? t('Enter a name.') : undefined}
      onChange={({ currentTarget: { value } }) =>
        dispatch({ type: 'change', group: 'name', change: (content) => ({ ...content, name: value }) })
      }
    />
    <Textarea
      label={t('Description')}
      autosize
      minRows={1}
      maxRows={6}
      miw={220}
      value={description}
      onChange={({ currentTarget: { value } }) =>
        dispatch({
          type: 'change',
          group: 'description',
          change: (content) => ({ ...content, description: value }),
        })
      }
    />
  </Group>
);
