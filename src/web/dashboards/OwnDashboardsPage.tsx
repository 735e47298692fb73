import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const OwnDashboardsPage = (): ReactNode => <Page title="My dashboards">{null}</Page>;
