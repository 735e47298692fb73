import { Checkbox } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { notifyError } from '../../ui/notifications/notify.ts';

/** Whether you get emails about comments. */
export function CommentMails({ isOn }: { readonly isOn: boolean }): ReactNode {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (commentMails: boolean) => call('POST /api/auth/update-user', { body: { commentMails } }),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['account'] }),
  });
  return (
    <Checkbox
      label={t('Email me about comments')}
      description={t('When someone mentions you, or replies in a thread that you wrote in.')}
      checked={change.isPending ? change.variables : isOn}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  );
}
