import { IconMessage } from '@tabler/icons-react';
import { useContext, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { MenuAction } from '../../ui/actions/MenuAction.tsx';
import { WriteComment, type CommentTarget } from './target.ts';

/** An item of a menu that opens the comments to write about a widget or a value; the item is disabled without a target. */
export function CommentItem({ target }: { readonly target: CommentTarget | undefined }): ReactNode {
  const write = useContext(WriteComment);
  return (
    <MenuAction
      icon={<IconMessage size={16} />}
      reason={target === undefined ? t('Select only one value.') : undefined}
      onClick={() => target !== undefined && write(target)}
    >
      {t('Comment')}
    </MenuAction>
  );
}
