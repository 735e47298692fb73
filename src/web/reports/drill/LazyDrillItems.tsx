import { IconListDetails } from '@tabler/icons-react';
import { lazy, Suspense, type ComponentProps, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { MenuAction } from '../../ui/actions/MenuAction.tsx';
import { loadChunk } from '../../ui/connection/chunks.ts';
import type { DrillItems as Items } from './DrillItems.tsx';

const DrillItems = lazy(async () => ({
  default: (await loadChunk('DrillItems', () => import('./DrillItems.tsx'))).DrillItems,
}));

/** `DrillItems`, which generate queries: their code loads when a menu of marks first opens, not with the page. */
export const LazyDrillItems = (props: ComponentProps<typeof Items>): ReactNode => (
  <Suspense
    fallback={
      <MenuAction icon={<IconListDetails size={16} />} reason={t('Loading…')} onClick={() => {}}>
        {t('See these rows')}
      </MenuAction>
    }
  >
    <DrillItems {...props} />
  </Suspense>
);
