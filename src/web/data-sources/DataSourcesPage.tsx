import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const DataSourcesPage = (): ReactNode => <Page title="Data sources">{null}</Page>;
