import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const DashboardsPage = (): ReactNode => <Page title="Dashboards">{null}</Page>;
