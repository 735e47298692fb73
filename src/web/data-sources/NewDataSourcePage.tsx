import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const NewDataSourcePage = (): ReactNode => <Page title="New data source">{null}</Page>;
