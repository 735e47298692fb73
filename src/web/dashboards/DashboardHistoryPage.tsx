import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const DashboardHistoryPage = (): ReactNode => <Page title="History">{null}</Page>;
