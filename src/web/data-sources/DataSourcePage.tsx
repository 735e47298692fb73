import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const DataSourcePage = (): ReactNode => <Page title="Data source">{null}</Page>;
