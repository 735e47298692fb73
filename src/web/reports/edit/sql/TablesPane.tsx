import { Button, Collapse } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { TablesBrowser } from '../../query/TablesBrowser.tsx';

/** The tables of a data source beside the query; in a narrow window they are collapsed at first. */
export function TablesPane(props: {
  readonly dataSourceId: string;
  readonly insert: (text: string) => void;
}): ReactNode {
  const isWide = useMediaQuery('(min-width: 88em)', true, { getInitialValueInEffect: false });
  const [isBrowsing, setIsBrowsing] = useState<boolean>();
  const isOpen = isBrowsing ?? isWide;
  return (
    <>
      {!isWide && (
        <Button
          size="compact-sm"
          variant="subtle"
          mb={4}
          aria-expanded={isOpen}
          onClick={() => setIsBrowsing(!isOpen)}
        >
          {isOpen ? t('Hide tables') : t('Show tables')}
        </Button>
      )}
      <Collapse expanded={isOpen}>{isOpen && <TablesBrowser {...props} />}</Collapse>
    </>
  );
}
