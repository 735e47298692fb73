import { Menu, Portal } from '@mantine/core';
import { IconCopy, IconSquareCheck } from '@tabler/icons-react';
import { useId, type ReactNode, type Ref } from 'react';
import { t } from '#shared/language/messages.ts';
import { MenuAction } from '../../ui/actions/MenuAction.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import classes from './marks.module.css';

/** The menu of the selected marks, at the mark that was clicked. */
export function MarkMenu({
  at,
  title,
  copied,
  onSelectMore,
  onClose,
  children,
}: {
  /** Where it opens, in pixels of the window. */
  readonly at: { readonly x: number; readonly y: number };
  readonly title: string;
  /** The text that is copied. */
  readonly copied: () => string;
  readonly onSelectMore: () => void;
  readonly onClose: () => void;
  /** What the page offers for the marks. */
  readonly children: ReactNode;
}): ReactNode {
  const titleId = useId();
  return (
    <Menu opened onClose={onClose} position="bottom-start" width={280} shadow="md">
      <Portal>
        <Menu.Target>
          <Anchor at={at} />
        </Menu.Target>
      </Portal>
      <Menu.Dropdown aria-labelledby={titleId}>
        <Menu.Label id={titleId} className={classes['title'] ?? ''}>
          {title}
        </Menu.Label>
        {children}
        <MenuAction icon={<IconCopy size={16} />} onClick={() => void copy(copied())}>
          {t('Copy value')}
        </MenuAction>
        <MenuAction icon={<IconSquareCheck size={16} />} onClick={onSelectMore}>
          {t('Select more')}
        </MenuAction>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The point at which the menu opens. It isn't a button, so that it leaves out what Mantine adds to one. */
const Anchor = ({
  at,
  ref,
}: {
  readonly at: { readonly x: number; readonly y: number };
  readonly ref?: Ref<HTMLDivElement>;
}): ReactNode => <div ref={ref} className={classes['anchor']} style={{ left: at.x, top: at.y }} />;

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notifyDone(t('Copied.'));
  } catch {
    // Browsers provide the clipboard only over HTTPS.
    notifyDone(t("Your browser doesn't allow copying. The value is: {text}", { text: text.slice(0, 500) }));
  }
}
